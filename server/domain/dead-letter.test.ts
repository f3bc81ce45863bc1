import { describe, expect, it } from "vitest";
import { redriveDeadline } from "./dead-letter";

const at = (text: string) => new Date(`2026-12-${text}:00Z`);

describe("the deadline of a job that follows a dead letter", () => {
  it("is the kind's where that lies ahead, a day from now where it has passed, and never after the input is erased", () => {
    const now = at("01T09:00");
    expect(redriveDeadline(at("05T08:00"), at("30T09:00"), now)).toEqual(at("05T08:00"));
    expect(redriveDeadline(at("01T09:00"), at("30T09:00"), now)).toEqual(at("02T09:00"));
    expect(redriveDeadline(at("05T08:00"), at("03T09:00"), now)).toEqual(at("03T09:00"));
    expect(redriveDeadline(at("01T08:00"), at("01T10:00"), now)).toEqual(at("01T10:00"));
  });
});
