"use client";

import { Table, Text } from "@mantine/core";
import { DisclosureList } from "../../_components/disclosure-list";
import { Panel } from "../../_components/panel";
import { counted, numberWords } from "../../_components/words";
import classes from "./packet.module.css";
import type { Packet } from "./use-job-status";

type Part = Packet["parts"][number];

/** The parts in order, the pages each became, and what was done to files on the way. */
export function Contents({ packet }: { readonly packet: Packet }) {
  // Dividers stand out, because the files below them belong to them.
  const heads = new Set(packet.parts.map((part) => part.section));
  const isFinished = packet.artifact !== null;
  return (
    <Panel
      title={isFinished ? "Contents" : "What goes in"}
      aside={
        <Text size="sm" c="dimmed">
          {counted(packet.parts.length, "part")}
        </Text>
      }
    >
      <Table verticalSpacing={6} horizontalSpacing={0}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Part</Table.Th>
            <Table.Th ta="right">Pages</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {packet.parts.map((part) => (
            <Table.Tr key={part.position}>
              <Table.Td className={classes.what}>
                <span className={heads.has(part.title) && part.type === "template" ? classes.part : undefined}>
                  {part.title}
                </span>
                <DisclosureList codes={part.disclosures} />
              </Table.Td>
              <Table.Td ta="right" className={classes.pages} valign="top">
                {pagesOf(part)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  );
}

function pagesOf(part: Part): string {
  if (part.from !== null && part.to !== null) {
    return part.from === part.to ? numberWords(part.from) : `${numberWords(part.from)}–${numberWords(part.to)}`;
  }
  return part.pages === null ? "" : counted(part.pages, "page");
}
