import { describe, expect, it } from "vitest";
import { admit } from "./admission";
import { LANE } from "./lane";

const open = { lane: LANE.archive, outstanding: 0, outstandingMax: 10, oldestReadyMs: 0, hasRoom: true };

describe("admission", () => {
  it("takes work while there is room", () => {
    expect(admit({ ...open, outstanding: 9, oldestReadyMs: LANE.archive.ageMsMax })).toEqual({ admitted: true });
  });

  it("refuses one job more than the tenant's cap, and says when to ask again [C53,C55]", () => {
    expect(admit({ ...open, outstanding: 10 })).toMatchObject({ admitted: false, code: "too_many_outstanding" });
    expect(Reflect.get(admit({ ...open, outstanding: 10 }), "retryAfterSeconds")).toBeGreaterThan(0);
  });

  it("closes a lane whose oldest job waits past its objective, and opens it again once it drained [C54,C55]", () => {
    const stuck = { ...open, oldestReadyMs: LANE.archive.ageMsMax + 1 };
    expect(admit(stuck)).toMatchObject({ admitted: false, code: "lane_closed" });
    expect(admit({ ...stuck, oldestReadyMs: 0 })).toEqual({ admitted: true });
  });

  it("refuses a preview much sooner than an archive copy [C46]", () => {
    const oldestReadyMs = LANE.interactive.ageMsMax + 1;
    expect(admit({ ...open, lane: LANE.interactive, oldestReadyMs })).toMatchObject({ code: "lane_closed" });
    expect(admit({ ...open, lane: LANE.archive, oldestReadyMs })).toEqual({ admitted: true });
  });

  it("refuses while no worker has room, and takes work again once one has [C67]", () => {
    expect(admit({ ...open, hasRoom: false })).toEqual({
      admitted: false,
      code: "workspace_full",
      retryAfterSeconds: 15,
    });
    expect(admit(open)).toEqual({ admitted: true });
  });
});
