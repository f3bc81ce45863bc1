"use client";

import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { CopyDigest } from "../../_components/copy-digest";
import { Facts } from "../../_components/facts";
import { Panel } from "../../_components/panel";
import { byteWords, numberWords } from "../../_components/words";
import classes from "./packet.module.css";
import type { Packet } from "./use-job-status";
import { CHECK_WORDS } from "./words";

type Artifact = NonNullable<Packet["artifact"]>;

/** What was checked before the file was archived, and what names these very bytes. */
export function Proof({ artifact }: { readonly artifact: Artifact }) {
  return (
    <Panel title="Proof">
      <ul className={classes.checks} aria-label="What was checked">
        {artifact.checks.map((check) => (
          <li key={check.name}>
            {check.passed ? (
              <IconCircleCheck size={18} stroke={1.75} className={classes.passed} aria-label="passed" />
            ) : (
              <IconCircleX size={18} stroke={1.75} className={classes.notPassed} aria-label="not passed" />
            )}
            <span>
              {CHECK_WORDS[check.name]} <span className={classes.found}>{foundWords(check)}</span>
            </span>
          </li>
        ))}
      </ul>
      <Facts
        facts={[
          ["Pages", numberWords(artifact.pages)],
          ["Size", byteWords(artifact.bytes)],
          artifact.archivalLevel === null ? null : ["Archival form", artifact.archivalLevel],
          ["Digest", <CopyDigest key="digest" digest={artifact.digest} />],
          ["Made by", `Renderer ${artifact.rendererBuild.slice(0, 12)}, attempt ${artifact.attempt}`],
        ]}
      />
    </Panel>
  );
}

const TELLING: ReadonlySet<string> = new Set(["every_page_readable", "page_count", "size"]);

/** What was found is said where it adds something to the sentence before it. Byte counts read better short. */
function foundWords(check: Artifact["checks"][number]): string {
  if (check.passed && !TELLING.has(check.name) && !/not embedded/.test(check.found)) return "";
  const bytes = /^(\d+) bytes$/.exec(check.found)?.[1];
  return bytes === undefined ? check.found : byteWords(Number(bytes));
}
