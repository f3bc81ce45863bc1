"use client";

import { Text } from "@mantine/core";
import { STAGE_NAMES } from "@/server/domain/job";
import { Moment } from "../../_components/moment";
import { counted, ordinalWords } from "../../_components/words";
import type { Packet } from "./use-job-status";
import { STAGE_WORDS } from "./words";

/** The packet's state as a sentence: what, since when, what next. No percentages: progress is the stage reached. */
export function StateSentence({ packet }: { readonly packet: Packet }) {
  return (
    <Text span size="sm">
      <Sentence packet={packet} />
    </Text>
  );
}

function Sentence({ packet }: { readonly packet: Packet }) {
  if (packet.nextTryAt !== null) {
    return (
      <>
        {packet.failure?.message ?? "The last try did not work."} Next try at{" "}
        <Moment at={packet.nextTryAt} show="clock" /> (attempt {packet.attempt + 1} of {packet.attemptsMax}).
      </>
    );
  }
  if (packet.state === "queued") {
    return (
      <>
        Waiting since <Moment at={packet.acceptedAt} show="clock" />
        {packet.ahead === null
          ? ""
          : packet.ahead === 0
            ? ", next in line"
            : `, ${ordinalWords(packet.ahead + 1)} in line`}
        .
      </>
    );
  }
  if (packet.state === "running") {
    const running = packet.stages.find((stage) => stage.status === "running");
    if (running === undefined) return "Making it.";
    const number = STAGE_NAMES.indexOf(running.name) + 1;
    return `Making it: ${STAGE_WORDS[running.name].now} (stage ${number} of ${STAGE_NAMES.length}).`;
  }
  if (packet.state === "succeeded" && packet.artifact !== null) {
    if (packet.artifact.erasedAt !== null) {
      return (
        <>
          Kept as long as promised and removed <Moment at={packet.artifact.erasedAt} />.
        </>
      );
    }
    return (
      <>
        Archived <Moment at={packet.artifact.committedAt} />, {counted(packet.artifact.pages, "page")}, checked.
      </>
    );
  }
  return packet.settledAt === null ? null : (
    <>
      Ended <Moment at={packet.settledAt} />. Nothing was archived.
    </>
  );
}
