"use client";

import { Badge, Group, Table, Text, Title } from "@mantine/core";
import { STAGE_NAMES } from "@/server/domain/job";
import { Moment } from "../../../_components/moment";
import { Panel } from "../../../_components/panel";
import { WideTable } from "../../../_components/wide-table";
import { durationWords } from "../../../_components/words";
import classes from "../../ops.module.css";
import { shortWords } from "../../short-words";
import type { Job } from "./job-page";

type Attempt = Job["attempts"][number];

/** Every attempt: who, when, what it finished, how it ended, and whether its directory is gone. [C411,C413,C414] */
export function Attempts({ job }: { readonly job: Job }) {
  return (
    <Panel
      title="Attempts"
      aside={
        <Text size="sm" c="dimmed">
          {job.attempts.length} of {job.budget.attemptsMax}
        </Text>
      }
    >
      {job.attempts.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet. It waits for a worker.
        </Text>
      ) : (
        <ol className={classes.attempts}>
          {job.attempts.toReversed().map((attempt) => (
            <li key={attempt.number}>
              <One attempt={attempt} job={job} />
            </li>
          ))}
        </ol>
      )}
      {job.attempts.some(({ checkpoints }) => checkpoints.length > 0) && <StageTable attempts={job.attempts} />}
    </Panel>
  );
}

function One({ attempt, job }: { readonly attempt: Attempt; readonly job: Job }) {
  const { number, workerId, startedAt, endedAt, outcome, code, stage } = attempt;
  const isLive = endedAt === null && job.lease !== null && number === job.attempts.length;
  return (
    <>
      <Group gap="xs" mb={4}>
        <Title order={3} size="sm">
          Attempt {number}
        </Title>
        {attempt.isCommitter && (
          <Badge variant="light" color="positive" radius="sm" tt="none">
            committed the artifact
          </Badge>
        )}
      </Group>
      <Text size="sm">
        <Moment at={startedAt} />, worker <span className={classes.id}>{workerId}</span>.{" "}
        {endedAt === null
          ? isLive
            ? `Running${job.stage === null ? "" : `, stage ${job.stage}`}.`
            : "Its end is not recorded."
          : `Ended after ${durationWords(endedAt.getTime() - startedAt.getTime())}: `}
        {endedAt !== null && <span className={classes.code}>{outcome ?? "unknown"}</span>}
        {code !== null && (
          <>
            , <span className={classes.code}>{code}</span>
            {stage !== null && ` in ${stage}`}
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed">
        Private directory:{" "}
        {attempt.directoryGoneAt === null ? (
          "not confirmed to be gone yet"
        ) : (
          <>
            gone <Moment at={attempt.directoryGoneAt} />
          </>
        )}
      </Text>
    </>
  );
}

/** What each attempt did of each stage, and how long it took: a stage that was taken up from an earlier attempt took nothing again. */
function StageTable({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const stages = STAGE_NAMES.filter((stage) =>
    attempts.some(({ checkpoints }) => checkpoints.some((checkpoint) => checkpoint.stage === stage)),
  );
  return (
    <WideTable label="Stages by attempt">
      <Table verticalSpacing={4} horizontalSpacing="sm" mt="lg" className={classes.phases}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Stage</Table.Th>
            {attempts.map(({ number }) => (
              <Table.Th key={number} ta="right">
                Attempt {number}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {stages.map((stage) => (
            <Table.Tr key={stage}>
              <Table.Th scope="row">{stage}</Table.Th>
              {attempts.map((attempt) => (
                <Table.Td key={attempt.number} ta="right">
                  {cellOf(attempt, stage)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}

function cellOf({ checkpoints, stage: failedIn }: Attempt, stage: string): string {
  const checkpoint = checkpoints.find((entry) => entry.stage === stage);
  if (checkpoint === undefined) return failedIn === stage ? "failed" : "";
  return checkpoint.status === "passed" ? shortWords(checkpoint.ms) : checkpoint.status;
}
