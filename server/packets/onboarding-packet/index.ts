import type { Manifest, Part } from "@/server/domain/manifest";
import { instantOf } from "../calendar";
import { definePacketKind, type SourceFacts } from "../kind";
import { onboardingRules } from "./rules";
import { samples } from "./sample";
import { OnboardingPacket } from "./schema";

/** Welcome letter, offer summary, the chosen policies and an acknowledgement to sign, for one new colleague. */
export const onboardingPacket = definePacketKind<OnboardingPacket>({
  name: "onboarding-packet",
  title: "Onboarding packet",
  description: "Welcome letter, offer summary, policy documents and an acknowledgement page for a new colleague.",
  payload: OnboardingPacket,
  audiences: ["recipient"],
  businessIdentity: (payload) => `employee:${payload.employee.ref}`,
  subject: (payload) => payload.employee.name,
  scope: (payload) => payload.employee.ref,
  period: (payload) => payload.employee.startDate,
  rules: onboardingRules,
  sources: (payload) =>
    payload.policies.map((sourceId, index) => ({ path: ["policies", index], sourceId, accepts: "pages" as const })),
  manifest: (payload, _audience, facts) => manifestOf(payload, facts),
  recipient: (payload) => ({ name: payload.employee.name, email: payload.employee.email }),
  finishBy: (payload) => instantOf(payload.employee.startDate, START_OF_WORK_HOURS),
  language: "en",
  watermark: () => null,
  pages: { min: 3, max: 1_000 },
  retention: { years: 7 },
  inputDays: 30,
  validationVersion: 1,
  templateVersion: 1,
  tables: [],
  pageNumbers: { style: "page-x-of-y", from: 1 },
  layoutDocuments: [],
  samples,
  template: () => import("./template"),
});

/** The first working day is taken to begin at 09:00 UTC. */
const START_OF_WORK_HOURS = 9;

function manifestOf(payload: OnboardingPacket, facts: (sourceId: string) => SourceFacts): Manifest {
  const policies = payload.policies.map((sourceId, index): Part => {
    const { sourceId: id, digest, mediaType, pages, bytes, title } = facts(sourceId);
    return {
      type: "file",
      position: index + 3,
      sourceId: id,
      digest,
      mediaType,
      pages,
      bytes,
      title,
      section: "Policies",
    };
  });
  return {
    parts: [
      template(1, "welcome", "Welcome letter"),
      template(2, "offer", "Offer summary"),
      ...policies,
      template(policies.length + 3, "acknowledgement", "Acknowledgement"),
    ],
    tables: [],
  };
}

function template(position: number, document: string, title: string): Part {
  return { type: "template", position, document, title, outline: title, params: {} };
}
