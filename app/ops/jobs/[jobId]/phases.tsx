"use client";

import { Table, Text, TextInput } from "@mantine/core";
import { useSearchParams } from "next/navigation";
import { Moment } from "../../../_components/moment";
import { Panel } from "../../../_components/panel";
import { WideTable } from "../../../_components/wide-table";
import classes from "../../ops.module.css";
import { shortWords } from "../../short-words";
import { distanceWords, instantIn, textOf } from "./alert-time";
import type { Job } from "./job-page";

/** When the job reached each phase, how long that took, and, beside an alert's time, what had happened by then. [C399,C432] */
export function Phases({ job }: { readonly job: Job }) {
  const alert = instantIn(useSearchParams().get("alert"));
  const change = (text: string) => {
    const at = instantIn(text);
    const query = at === null ? "" : `?alert=${at.toISOString()}`;
    window.history.replaceState(null, "", `${window.location.pathname}${query}`);
  };
  return (
    <Panel title="Phases">
      <TextInput
        type="datetime-local"
        step={1}
        label="Compare with an alert"
        description="The alert's own time, in UTC. It stays in this page's address."
        maw={280}
        mb="sm"
        defaultValue={alert === null ? "" : textOf(alert)}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <WideTable label="Phases of this job">
        <Table verticalSpacing={4} horizontalSpacing="sm" className={classes.phases} miw={alert === null ? 340 : 460}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Phase</Table.Th>
              <Table.Th>Reached</Table.Th>
              <Table.Th ta="right">Took</Table.Th>
              {alert !== null && <Table.Th ta="right">Beside the alert</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {job.phases.map(({ name, at, afterMs }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>
                  {at === null ? (
                    <Text size="sm" c="dimmed">
                      not reached
                    </Text>
                  ) : (
                    <Moment at={at} />
                  )}
                </Table.Td>
                <Table.Td ta="right">{afterMs === null ? "" : shortWords(Math.max(0, afterMs))}</Table.Td>
                {alert !== null && <Table.Td ta="right">{distanceWords(at, alert)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Panel>
  );
}
