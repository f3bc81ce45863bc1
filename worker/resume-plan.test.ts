import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf } from "@/server/domain/ids";
import { type Left, planResumption, usableOutputs } from "./resume-plan";

const BUILD = "build-1";
const HERE = digestOf("letterhead");
const OUTPUTS = ["fetch", "render", "watermark", "assemble"] as const;
type OutputStage = (typeof OUTPUTS)[number];
const ALL = [...OUTPUTS, "verify"] as const;

interface LeftBy {
  readonly attempt?: number;
  readonly build?: string;
  readonly digest?: string;
  readonly surroundings?: string;
}

/** What is on record of a stage that left two files. */
function staged(stage: OutputStage, { attempt = 1, build = BUILD, surroundings = HERE }: LeftBy = {}): Left {
  const contents = [0, 1].map((index) => `${stage} ${index}`);
  const files = contents.map((content) => ({ bytes: content.length, digest: digestOf(content) }));
  return {
    checkpoints: [
      {
        attempt,
        stage,
        status: "passed",
        evidence: { pages: 7, staged: { rendererBuild: build, surroundings, files, facts: { from: stage } } },
      },
    ],
    files: files.map(({ bytes, digest }, index) => ({
      ...{ attempt, stage, index, digest },
      bytes: BigInt(bytes),
      key: `${stage}-${attempt}-${index}`,
    })),
  };
}

function verified({ attempt = 1, build = BUILD, digest = digestOf("assemble 0") }: LeftBy = {}): Left {
  const publication = { digest, bytes: 10, pages: 7, pageMap: [], checks: [], archivalLevel: null };
  return {
    checkpoints: [{ attempt, stage: "verify", status: "passed", evidence: { rendererBuild: build, publication } }],
    files: [],
  };
}

function all(...parts: readonly Left[]): Left {
  return {
    checkpoints: parts.flatMap((part) => part.checkpoints).sort((a, b) => a.attempt - b.attempt),
    files: parts.flatMap((part) => part.files),
  };
}

/** Which stages are restored, and which need not run at all, as `stage` or `stage@attempt`. */
const MAKING = { rendererBuild: BUILD, surroundings: HERE };

function planOf(left: Left) {
  const plan = planResumption(left, usableOutputs(left, MAKING), MAKING);
  return {
    restored: plan.restore.map((output) => `${output.stage}@${output.attempt}`),
    finished: plan.finished.map((entry) => entry.stage),
    verified: plan.verified !== null,
  };
}

const NOTHING = { restored: [], finished: [], verified: false };

describe("the stages of an earlier attempt that need not run again", () => {
  it("are none where nothing was left", () => {
    expect(planOf(all())).toEqual(NOTHING);
  });

  it("are those whose output was left, in running order [C142]", () => {
    expect(planOf(all(staged("render"), staged("fetch")))).toEqual({
      restored: ["fetch@1", "render@1"],
      finished: ["fetch", "render"],
      verified: false,
    });
  });

  it("are all that only an assembled file was made from: none of their files is copied [C142]", () => {
    expect(planOf(all(...OUTPUTS.map((stage) => staged(stage))))).toEqual({
      restored: ["assemble@1"],
      finished: [...OUTPUTS],
      verified: false,
    });
    expect(planOf(staged("assemble")).finished).toEqual([...OUTPUTS]);
  });

  it("come from the newest attempt that left them whole, each by itself [C142]", () => {
    const left = all(staged("fetch"), staged("render"), staged("render", { attempt: 3 }));
    expect(planOf(left).restored).toEqual(["fetch@1", "render@3"]);
    const without = { ...left, files: left.files.filter(({ attempt, index }) => attempt !== 3 || index === 0) };
    expect(planOf(without).restored).toEqual(["fetch@1", "render@1"]);
  });

  it("never come from another renderer build: its bytes and ours would not be one document [C142]", () => {
    expect(planOf(staged("assemble", { build: "build-0" }))).toEqual(NOTHING);
    const left = all(staged("fetch"), staged("render", { build: "build-0", attempt: 2 }));
    expect(planOf(left).restored).toEqual(["fetch@1"]);
  });

  it("never come from under another letterhead: a tenant may have changed it meanwhile [C142]", () => {
    expect(planOf(staged("assemble", { surroundings: digestOf("another") }))).toEqual(NOTHING);
  });

  it.each([
    ["a file is gone", (left: Left) => ({ ...left, files: left.files.slice(1) })],
    ["a file more is on record", (left: Left) => all(left, { checkpoints: [], files: [{ ...file(left), index: 2 }] })],
    ["a length differs", (left: Left) => ({ ...left, files: left.files.map((row) => ({ ...row, bytes: 1n })) })],
    [
      "a digest differs",
      (left: Left) => ({ ...left, files: left.files.map((row) => ({ ...row, digest: digestOf("other") })) }),
    ],
    ["the stage was not finished", (left: Left) => ({ ...left, checkpoints: [] })],
    [
      "it was itself taken up from elsewhere",
      (left: Left) => ({ ...left, checkpoints: left.checkpoints.map((row) => ({ ...row, status: "resumed" })) }),
    ],
    [
      "its evidence cannot be read",
      (left: Left) => ({ ...left, checkpoints: left.checkpoints.map((row) => ({ ...row, evidence: { staged: 1 } })) }),
    ],
  ])("are not those of which %s", (_, spoil) => {
    expect(planOf(spoil(staged("assemble")))).toEqual(NOTHING);
  });

  it("say whether they had anything to do", () => {
    const skipped = { checkpoints: [{ attempt: 1, stage: "fetch", status: "skipped", evidence: {} }], files: [] };
    const left = all(skipped, staged("assemble"));
    const { finished } = planResumption(left, usableOutputs(left, MAKING), MAKING);
    expect(finished.map(({ stage, status }) => [stage, status])).toEqual([
      ["fetch", "skipped"],
      ["render", "resumed"],
      ["watermark", "resumed"],
      ["assemble", "resumed"],
    ]);
    expect(finished.at(-1)?.counts).toEqual({ pages: 7 });
  });
});

function file(left: Left): Left["files"][number] {
  const [first] = left.files;
  if (first === undefined) throw new RangeError("Nothing was left.");
  return first;
}

describe("what was verified", () => {
  it("counts for the very bytes that are restored [C142]", () => {
    expect(planOf(all(staged("assemble"), verified()))).toEqual({
      restored: ["assemble@1"],
      finished: [...ALL],
      verified: true,
    });
  });

  it.each([
    ["for other bytes", all(staged("assemble"), verified({ digest: digestOf("other") }))],
    ["by another build", all(staged("assemble"), verified({ build: "build-0" }))],
  ])("%s is verified again", (_, left) => {
    expect(planOf(left)).toMatchObject({ finished: [...OUTPUTS], verified: false });
  });

  it("for bytes that are not there any more does not count at all", () => {
    expect(planOf(verified())).toEqual(NOTHING);
  });
});

describe("whatever was left", () => {
  const READS = { fetch: [], render: ["fetch"], watermark: [], assemble: ["fetch", "render", "watermark"] };

  it("a stage that runs finds all it reads restored or made before it, and no file is copied for nothing [C134,C142]", () => {
    const some = fc.subarray(OUTPUTS.map((stage) => staged(stage)).concat(verified()));
    fc.assert(
      fc.property(some, (parts) => {
        const { restored, finished } = planOf(all(...parts));
        const there = new Set(restored.map((name) => name.slice(0, -2)));
        const runs = OUTPUTS.filter((stage) => !(finished as string[]).includes(stage));
        for (const stage of runs) {
          for (const read of READS[stage]) expect(there.has(read) || runs.includes(read as OutputStage)).toBe(true);
        }
        const reading = new Set(runs.flatMap((stage): readonly string[] => READS[stage]).concat("assemble"));
        for (const stage of there) expect(reading.has(stage)).toBe(true);
        expect(there.has("assemble") || runs.includes("assemble")).toBe(true);
      }),
    );
  });
});
