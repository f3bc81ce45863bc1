"use client";

import { Text } from "@mantine/core";
import { Moment } from "../../../_components/moment";
import { Panel } from "../../../_components/panel";
import classes from "../../ops.module.css";
import type { Job } from "./job-page";

/** The audit events about the job and its artifact, newest first. */
export function Events({ job }: { readonly job: Job }) {
  return (
    <Panel title="Audit events">
      {job.events.length === 0 && (
        <Text size="sm" c="dimmed">
          None is recorded.
        </Text>
      )}
      <ol className={classes.events}>
        {job.events.map(({ id, at, action, actorType, actorId, facts }) => (
          <li key={id}>
            <span className={classes.code}>{action}</span>
            <Text size="xs" c="dimmed">
              <Moment at={at} />, {actorType} <span className={classes.id}>{actorId}</span>
            </Text>
            {Object.keys(facts).length > 0 && (
              <Text size="xs" c="dimmed" className={classes.id}>
                {Object.entries(facts)
                  .map(([name, value]) => `${name} ${value}`)
                  .join(", ")}
              </Text>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
