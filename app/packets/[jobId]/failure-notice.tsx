"use client";

import { Alert, List, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { labelOfPath } from "../../_components/payload-form/schema";
import { counted } from "../../_components/words";
import { useApi } from "../../_trpc/client";
import type { Packet } from "./use-job-status";

/** Why it failed, in plain words: which part, which page, which field, and what to do. */
export function FailureNotice({ packet }: { readonly packet: Packet }) {
  const { failure } = packet;
  const hasFields = failure !== null && failure.findings.length > 0;
  const kind = useQuery(useApi().packets.describeKind.queryOptions({ kind: packet.kind }, { enabled: hasFields }));
  if (failure === null) return null;
  return (
    <Alert
      color={failure.code === "cancelled" ? "gray" : "problem"}
      icon={<IconAlertTriangle aria-hidden="true" />}
      title={headingOf(packet, failure)}
    >
      <Text size="sm">{lastWords(packet, failure.message)}</Text>
      {hasFields && (
        <List size="sm" mt="xs">
          {failure.findings.map((finding) => (
            <List.Item key={`${finding.path.join(".")} ${finding.code} ${finding.message}`}>
              <Text span size="sm" fw={500}>
                {labelOfPath(kind.data?.schema ?? null, finding.path)}
              </Text>
              : {finding.message}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

/** What is over is not tried again, whatever the same trouble says while there are tries left. */
function lastWords(packet: Packet, message: string): string {
  const before = message.replace(/ We will try again\.$/, "");
  return before === message ? message : `${before} It was tried ${counted(packet.attempt, "time")}.`;
}

function headingOf(packet: Packet, failure: NonNullable<Packet["failure"]>): string {
  if (failure.code === "cancelled") return "Stopped before it was archived";
  if (failure.title === null) return "This packet was not made";
  const isFile = packet.parts.some((part) => part.position === failure.position && part.type === "file");
  const page = failure.page === null ? "" : `, page ${failure.page}`;
  return isFile ? `“${failure.title}”${page} could not be used` : `“${failure.title}”${page} could not be made`;
}
