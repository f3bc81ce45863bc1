"use client";

import { VisuallyHidden } from "@mantine/core";
import { IconCircle, IconCircleCheck, IconCircleDashed, IconCircleX, IconLoader2 } from "@tabler/icons-react";
import { Panel } from "../../_components/panel";
import { durationWords } from "../../_components/words";
import classes from "./packet.module.css";
import type { Packet } from "./use-job-status";
import { STAGE_WORDS } from "./words";

type Stage = Packet["stages"][number];

/** The stages in running order, with what each took. */
export function Timeline({ packet }: { readonly packet: Packet }) {
  return (
    <Panel title="How it is made">
      <ol className={classes.timeline}>
        {packet.stages.map((stage) => (
          <li
            key={stage.name}
            className={classes.stage}
            data-status={stage.status}
            aria-current={stage.status === "running" ? "step" : undefined}
          >
            <Mark status={stage.status} />
            <span>{STAGE_WORDS[stage.name].title}</span>
            <span className={classes.took}>{wordsFor(stage)}</span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function wordsFor(stage: Stage): string {
  if (stage.status === "skipped") return "not needed";
  if (stage.status === "running") return "now";
  if (stage.status === "failed") return "stopped here";
  return stage.status === "passed" && stage.ms !== null && stage.name !== "accept" ? durationWords(stage.ms) : "";
}

const MARKS = {
  waiting: { icon: IconCircle, words: "to come" },
  running: { icon: IconLoader2, words: "running" },
  passed: { icon: IconCircleCheck, words: "done" },
  skipped: { icon: IconCircleDashed, words: "skipped" },
  failed: { icon: IconCircleX, words: "failed" },
} as const;

function Mark({ status }: { readonly status: Stage["status"] }) {
  const { icon: Picture, words } = MARKS[status];
  return (
    <span className={classes.mark}>
      <Picture
        size={18}
        stroke={1.75}
        aria-hidden="true"
        className={status === "running" ? classes.turns : undefined}
      />
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  );
}
