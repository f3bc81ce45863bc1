"use client";

import { Text } from "@mantine/core";
import { Moment } from "../../../_components/moment";
import { Panel } from "../../../_components/panel";
import { byteWords, counted, numberWords } from "../../../_components/words";
import classes from "../../ops.module.css";
import type { Job } from "./job-page";

/** The four questions an operator asks of a job, answered side by side. [C410,C411,C412,C413] */
export function Answers({ job }: { readonly job: Job }) {
  return (
    <Panel title="In short">
      <dl className={classes.answers}>
        <div>
          <dt>Which revision is it?</dt>
          <dd>
            <Revision job={job} />
          </dd>
        </div>
        <div>
          <dt>Which attempt committed it?</dt>
          <dd>
            <Committer job={job} />
          </dd>
        </div>
        <div>
          <dt>Why did it fail?</dt>
          <dd>
            <Why job={job} />
          </dd>
        </div>
        <div>
          <dt>Are its directories gone?</dt>
          <dd>
            <Directories job={job} />
          </dd>
        </div>
      </dl>
    </Panel>
  );
}

function Revision({ job }: { readonly job: Job }) {
  if (job.revision === null) return "None: a preview has no revision.";
  return (
    <>
      Revision {job.revision.number}
      <Text className={classes.id} component="span" display="block" c="dimmed">
        {job.revision.id}
      </Text>
    </>
  );
}

function Committer({ job }: { readonly job: Job }) {
  const { artifact } = job;
  if (artifact === null) return "None: nothing of it is in the archive.";
  const committer = job.attempts.find(({ isCommitter }) => isCommitter);
  return (
    <>
      Attempt {artifact.attempt}
      {committer !== undefined && (
        <>
          {" "}
          on <span className={classes.id}>{committer.workerId}</span>
        </>
      )}
      , <Moment at={artifact.committedAt} />
      <Text size="sm" c="dimmed">
        {counted(artifact.pages, "page")}, {byteWords(artifact.bytes)}
        {artifact.erasedAt !== null && ", bytes disposed of since"}
      </Text>
      <Text className={classes.id} component="span" display="block" c="dimmed">
        {artifact.digest}
      </Text>
    </>
  );
}

function Why({ job }: { readonly job: Job }) {
  const { failure } = job;
  if (failure === null) return job.state === "completed" ? "It did not." : "It has not failed.";
  const place = [
    failure.stage === null ? null : `stage ${failure.stage}`,
    failure.position === null ? null : `part ${failure.position}`,
    failure.page === null ? null : `page ${failure.page}`,
  ].filter((words) => words !== null);
  const findings = Object.entries(failure.findings);
  return (
    <>
      <span className={classes.code}>{failure.code}</span>
      {place.length > 0 && `, ${place.join(", ")}`}
      <Text size="sm" c="dimmed">
        {failure.reason}
        {failure.firstCode !== failure.code && ` First: ${failure.firstCode}.`}
      </Text>
      {findings.length > 0 && (
        <Text size="sm" c="dimmed">
          {findings.map(([code, count]) => `${numberWords(count)} × ${code}`).join(", ")}
        </Text>
      )}
    </>
  );
}

function Directories({ job }: { readonly job: Job }) {
  const { attempts } = job;
  if (attempts.length === 0) return "There was no attempt, so there was none.";
  const open = attempts.filter(({ directoryGoneAt }) => directoryGoneAt === null).length;
  if (open === 0) return attempts.length === 1 ? "Yes." : `Yes, all ${attempts.length}.`;
  return `${numberWords(open)} of ${numberWords(attempts.length)} not confirmed yet.`;
}
