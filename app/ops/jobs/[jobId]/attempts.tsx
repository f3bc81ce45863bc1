"use client";

import { Badge, Group, Table, Text, Title } from "@mantine/core";
import { Moment } from "../../../_components/moment";
import { Panel } from "../../../_components/panel";
import { WideTable } from "../../../_components/wide-table";
import { durationWords } from "../../../_components/words";
import classes from "../../ops.module.css";
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
      {attempt.checkpoints.length > 0 && (
        <WideTable label={`Stages of attempt ${number}`}>
          <Table verticalSpacing={4} horizontalSpacing="sm" mt="xs" className={classes.stages}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Stage</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th ta="right">Took</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {attempt.checkpoints.map((checkpoint) => (
                <Table.Tr key={checkpoint.stage}>
                  <Table.Td>{checkpoint.stage}</Table.Td>
                  <Table.Td>{checkpoint.status}</Table.Td>
                  <Table.Td ta="right">{durationWords(checkpoint.ms)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </WideTable>
      )}
    </>
  );
}
