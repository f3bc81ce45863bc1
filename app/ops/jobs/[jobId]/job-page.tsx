"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import type { AppRouter } from "@/server/api/root";
import { PageHeader } from "../../../_components/page-header";
import { ProblemNotice } from "../../../_components/problem-notice";
import { useApi } from "../../../_trpc/client";
import { type Outcome, outcomeWords } from "../../dead-letters/outcome-words";
import classes from "../../ops.module.css";
import { SettleDialog } from "../../settle-dialog";
import { Answers } from "./answers";
import { Attempts } from "./attempts";
import { Circumstances } from "./circumstances";
import { Events } from "./events";
import { Phases } from "./phases";

export type Job = inferRouterOutputs<AppRouter>["operations"]["job"];

const REFRESH_MS = 5_000;
const OVER = ["completed", "validation_failed", "dead_letter", "cancelled"];
const OPERATIONS = { href: "/ops", label: "Operations" };
const DEAD_LETTERS = { href: "/ops/dead-letters", label: "Dead letters" };

/** One job as its rows tell it, kept fresh while it runs and until its directories are gone. */
export function JobPage({ jobId }: { readonly jobId: string }) {
  const [task, setTask] = useState<"redrive" | "discard" | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const read = useQuery(
    useApi().operations.job.queryOptions(
      { jobId },
      { refetchInterval: (query) => (isSettled(query.state.data) ? false : REFRESH_MS) },
    ),
  );
  const job = read.data;
  if (job === undefined) return null;
  return (
    <>
      <PageHeader
        title={`Job ${jobId.slice(4, 12)}`}
        trail={job.state === "dead_letter" ? [OPERATIONS, DEAD_LETTERS] : [OPERATIONS]}
        description={
          <>
            <span className={classes.id}>{job.jobId}</span>
            <br />
            {job.kind}, {job.audience} copy, {job.fidelity}, {job.lane} lane, tenant{" "}
            <span className={classes.id}>{job.tenantId}</span>
          </>
        }
        action={
          job.isDeadLetter && (
            <Group gap="xs">
              <Button variant="default" onClick={() => setTask("discard")}>
                Discard
              </Button>
              <Button onClick={() => setTask("redrive")} disabled={!job.isInputThere}>
                Redrive
              </Button>
            </Group>
          )
        }
      />
      <Stack gap="lg">
        {read.isError && (
          <ProblemNotice title="The job could not be read again" error={read.error} onRetry={() => read.refetch()} />
        )}
        {outcome !== null && (
          <Alert
            color={outcome.refused.length === 0 ? "positive" : "caution"}
            icon={<IconCircleCheck aria-hidden="true" />}
            role="status"
          >
            <Text size="sm">{outcomeWords(outcome)}</Text>
          </Alert>
        )}
        <Answers job={job} />
        <div className={classes.columns}>
          <Stack gap="lg" miw={0}>
            <Attempts job={job} />
            <Phases job={job} />
          </Stack>
          <Stack gap="lg" miw={0}>
            <Circumstances job={job} />
            <Events job={job} />
          </Stack>
        </div>
      </Stack>
      <SettleDialog
        task={task}
        count={1}
        what="this dead letter"
        choice={{ jobIds: [jobId] }}
        onClose={() => setTask(null)}
        onSettled={setOutcome}
      />
    </>
  );
}

/** Whether nothing more is to be expected: it is over, and its directories are gone. */
function isSettled(job: Job | undefined): boolean {
  return job !== undefined && OVER.includes(job.state) && job.attempts.every(({ directoryGoneAt }) => directoryGoneAt);
}
