import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Action, isWithin, mayAct, mayTouch, type PersonActor, ROLES } from "./access";
import { newId } from "./ids";

const tenantId = newId("tenant");
const person = (change: Partial<PersonActor> = {}): PersonActor => ({
  type: "person",
  userId: newId("user"),
  sessionId: newId("session"),
  tenantId,
  reach: { role: "admin", kinds: [], scopes: [] },
  isOperator: false,
  ...change,
});
const ACTIONS: Action[] = ["submit", "read", "cancel", "download", "manage_library"];
const thing = { tenantId, kind: "depot-report", scope: "D-7" };

describe("access", () => {
  it("never reaches into another tenant, whatever the role [C8,C96]", () => {
    fc.assert(
      fc.property(fc.constantFrom(...ROLES), fc.constantFrom(...ACTIONS), (role, action) => {
        const actor = person({ reach: { role, kinds: [], scopes: [] } });
        expect(mayTouch(actor, action, { ...thing, tenantId: newId("tenant") })).toBe(false);
      }),
    );
  });

  it("gives a recipient and an operator nothing of a tenant's packets by role", () => {
    for (const action of ACTIONS) {
      expect(mayAct(person({ reach: { role: "recipient", kinds: [], scopes: [] } }), action)).toBe(false);
      expect(mayAct(person({ tenantId: null, reach: null, isOperator: true }), action)).toBe(false);
    }
  });

  it("lets a viewer read and download, and change nothing", () => {
    const viewer = person({ reach: { role: "viewer", kinds: [], scopes: [] } });
    expect(ACTIONS.filter((action) => mayAct(viewer, action))).toEqual(["read", "download"]);
  });

  it("stays within the depot, school or kind that a membership names [C362]", () => {
    const clerk = person({ reach: { role: "coordinator", kinds: ["depot-report"], scopes: ["D-7"] } });
    expect(mayTouch(clerk, "download", thing)).toBe(true);
    expect(mayTouch(clerk, "download", { ...thing, scope: "D-8" })).toBe(false);
    expect(mayTouch(clerk, "download", { ...thing, kind: "onboarding-packet" })).toBe(false);
    expect(isWithin({ role: "admin", kinds: [], scopes: [] }, thing)).toBe(true);
  });

  it("is not given to the system by any rule meant for people", () => {
    for (const action of ACTIONS) expect(mayAct({ type: "system", name: "worker" }, action)).toBe(false);
  });
});
