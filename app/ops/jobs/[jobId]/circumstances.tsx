"use client";

import { Text } from "@mantine/core";
import Link from "next/link";
import { Facts } from "../../../_components/facts";
import { Moment } from "../../../_components/moment";
import { Panel } from "../../../_components/panel";
import { byteWords, counted, durationWords, numberWords } from "../../../_components/words";
import classes from "../../ops.module.css";
import type { Job } from "./job-page";

/** Where the job is, what it may take, what it took, what is still stored of it, and what came before and after it. */
export function Circumstances({ job }: { readonly job: Job }) {
  return (
    <>
      <Panel title="State">
        <Facts
          facts={[
            ["State", <Code key="state">{job.stage === null ? job.state : `${job.state}, ${job.stage}`}</Code>],
            job.lease === null ? null : ["Lease until", <Moment key="lease" at={job.lease.until} />],
            job.state === "retry_wait" ? ["Next attempt", <Moment key="due" at={job.dueAt} />] : null,
            ["Finish by", <Moment key="finish" at={job.finishBy} />],
            ["Erase input by", <Moment key="erase" at={job.eraseBy} />],
            ["Input", job.isInputThere ? "still there" : "erased"],
            ["Redrive of", job.redriveOf === null ? "none" : <JobLink key="of" jobId={job.redriveOf} />],
            [
              "Redriven as",
              job.redrivenAs === null ? (
                "nothing"
              ) : (
                <JobLink key="as" jobId={job.redrivenAs.jobId} state={job.redrivenAs.state} />
              ),
            ],
            job.discarded === null ? null : ["Discarded", <Moment key="discarded" at={job.discarded.at} />],
            ["Correlation", <Code key="correlation">{job.correlationId}</Code>],
          ]}
        />
      </Panel>
      <Panel title="Budget and cost">
        <Facts
          facts={[
            ["One attempt may take", durationWords(job.budget.durationMsMax)],
            ["One rendering", durationWords(job.budget.renderMsMax)],
            ["Lease", durationWords(job.budget.leaseMs)],
            ["Attempts", `${job.cost.attempts} of ${job.budget.attemptsMax}`],
            ["First claim to outcome", job.cost.wallMs === null ? "not over" : durationWords(job.cost.wallMs)],
            ["Work of all stages", durationWords(job.cost.workMs)],
            ["Output", job.cost.bytes === null ? "none" : byteWords(job.cost.bytes)],
            ["Pages", job.cost.pages === null ? "none" : numberWords(job.cost.pages)],
            job.cost.retainUntil === null
              ? null
              : ["Kept until", <Moment key="retain" at={job.cost.retainUntil} show="day" />],
            ["Declared", declaredWords(job)],
          ]}
        />
      </Panel>
      <Panel title="Staged for the next attempt">
        {job.staged.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nothing was staged.
          </Text>
        ) : (
          <Facts
            facts={job.staged.map(({ attempt, stage, files, bytes, isErased }) => [
              `Attempt ${attempt}, ${stage}${isErased ? ", erased" : ""}`,
              `${counted(files, "file")}, ${byteWords(bytes)}${isErased ? "" : ", still there"}`,
            ])}
          />
        )}
      </Panel>
      <Panel title="Made with">
        <Facts
          facts={[
            ["Rules", `version ${job.validationVersion}`],
            ["Template", `version ${job.templateVersion}`],
            ["Renderer build", <Code key="build">{job.rendererBuild ?? "not rendered"}</Code>],
            ["Manifest", <Code key="manifest">{job.manifestDigest}</Code>],
          ]}
        />
      </Panel>
    </>
  );
}

function declaredWords({ declared, parts }: Job): string {
  const rows = declared.rows === 0 ? "" : `, ${counted(declared.rows, "row")}`;
  return `${counted(parts, "part")}, ${counted(declared.pages, "page")}, ${byteWords(declared.bytes)}${rows}`;
}

function JobLink({ jobId, state }: { readonly jobId: string; readonly state?: string }) {
  return (
    <>
      <Link href={`/ops/jobs/${jobId}`} className={`${classes.id} ${classes.link}`}>
        {jobId}
      </Link>
      {state !== undefined && `, ${state}`}
    </>
  );
}

function Code({ children }: { readonly children: string }) {
  return <span className={classes.id}>{children}</span>;
}
