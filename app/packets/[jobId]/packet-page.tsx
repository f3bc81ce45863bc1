"use client";

import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { IconInfoCircle, IconWifiOff } from "@tabler/icons-react";
import Link from "next/link";
import { DownloadForm } from "../../_components/download-form";
import { PageHeader } from "../../_components/page-header";
import { PdfViewer } from "../../_components/pdf-viewer/pdf-viewer";
import { StateBadge } from "../../_components/state-badge";
import { periodWords } from "../../_components/words";
import { CancelButton } from "./cancel-button";
import { Contents } from "./contents";
import { FailureNotice } from "./failure-notice";
import { History } from "./history";
import { Keeping } from "./keeping";
import classes from "./packet.module.css";
import { Proof } from "./proof";
import { RetryButton } from "./retry-button";
import { StateSentence } from "./state-sentence";
import { Timeline } from "./timeline";
import { type Packet, useJobStatus } from "./use-job-status";

const TRAIL = [{ href: "/packets", label: "Packets" }];

/** Everything about one packet, kept fresh while it is being made. */
export function PacketPage({ jobId }: { readonly jobId: string }) {
  const { packet, watch, isUnreadable, watchAgain } = useJobStatus(jobId);
  if (packet === undefined) return null;
  return (
    <>
      <PageHeader
        title={packet.subject}
        trail={TRAIL}
        description={<Subtitle packet={packet} />}
        action={<Actions packet={packet} />}
      />
      <Stack gap="md" mb="lg">
        <div role="status" className={classes.state}>
          <StateBadge
            state={packet.state}
            isWaitingToRetry={packet.nextTryAt !== null}
            failureCode={packet.failure?.code ?? null}
          />
          <StateSentence packet={packet} />
        </div>
        {packet.state === "failed" && <FailureNotice packet={packet} />}
        <Notices
          packet={packet}
          isUnreadable={isUnreadable && watch === "watching"}
          isStopped={watch === "stopped"}
          onWatch={watchAgain}
        />
      </Stack>
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          {packet.mayDownload && packet.artifact !== null && (
            <PdfViewer
              url={`/packets/${jobId}/view`}
              pages={packet.artifact.pages}
              label={`Pages of ${packet.subject}`}
            />
          )}
          <Contents packet={packet} />
        </Stack>
        <Stack gap="lg" miw={0}>
          <Timeline packet={packet} />
          {packet.artifact !== null && <Proof artifact={packet.artifact} />}
          <Keeping packet={packet} />
          <History jobId={jobId} />
        </Stack>
      </div>
    </>
  );
}

function Subtitle({ packet }: { readonly packet: Packet }) {
  const facts = [
    packet.kindTitle,
    packet.kind === "board-book" ? `${packet.audience} copy` : null,
    packet.scope,
    periodWords(packet.period),
    packet.revisionNumber === null ? null : `revision ${packet.revisionNumber}`,
  ];
  return facts.filter((fact) => fact !== null && fact !== "").join(" · ");
}

function Actions({ packet }: { readonly packet: Packet }) {
  const revise = (
    <Button
      component={Link}
      href={`/packets/new/${packet.kind}?from=${packet.jobId}`}
      variant={packet.state === "failed" && !packet.mayRetry && packet.followedBy === null ? "filled" : "default"}
    >
      Make a new revision
    </Button>
  );
  return (
    <Group gap="xs">
      {packet.mayCancel && <CancelButton jobId={packet.jobId} />}
      {packet.isTerminal && packet.maySubmit && revise}
      {packet.mayRetry && <RetryButton jobId={packet.jobId} />}
      {packet.mayDownload && <DownloadForm jobId={packet.jobId} />}
    </Group>
  );
}

interface NoticesProps {
  readonly packet: Packet;
  readonly isUnreadable: boolean;
  readonly isStopped: boolean;
  onWatch(): void;
}

function Notices({ packet, isUnreadable, isStopped, onWatch }: NoticesProps) {
  return (
    <>
      {packet.replacedBy !== null && (
        <Alert color="caution" icon={<IconInfoCircle aria-hidden="true" />}>
          <Text size="sm">
            A newer one takes its place:{" "}
            <Anchor component={Link} href={`/packets/${packet.replacedBy.jobId}`} size="sm" underline="always">
              revision {packet.replacedBy.number}
            </Anchor>
            . This one is kept all the same.
          </Text>
        </Alert>
      )}
      {packet.followedBy !== null && (
        <Alert color="accent" icon={<IconInfoCircle aria-hidden="true" />}>
          <Text size="sm">
            It is tried again:{" "}
            <Anchor component={Link} href={`/packets/${packet.followedBy}`} size="sm" underline="always">
              see how that goes
            </Anchor>
            .
          </Text>
        </Alert>
      )}
      {isUnreadable && (
        <Alert color="caution" icon={<IconWifiOff aria-hidden="true" />}>
          <Text size="sm">Bindery does not answer at the moment. What you see may be old; this page keeps asking.</Text>
        </Alert>
      )}
      {isStopped && (
        <Alert color="gray" icon={<IconInfoCircle aria-hidden="true" />}>
          <Group justify="space-between">
            <Text size="sm">This page stopped looking. The packet is made all the same.</Text>
            <Button variant="default" size="xs" onClick={onWatch}>
              Look again
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}
