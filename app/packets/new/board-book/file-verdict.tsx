"use client";

import { Button, FileButton, Group, Loader, Progress, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import type { Dispatch, ReactNode } from "react";
import { DisclosureList } from "../../../_components/disclosure-list";
import type { Source } from "../../../_components/uploads/use-sources";
import { byteWords, counted } from "../../../_components/words";
import classes from "./board-book.module.css";
import type { FileRow, RowsAction } from "./rows";

interface Props {
  readonly row: FileRow;
  /** Undefined while nothing is known, null where it is gone. */
  readonly source: Source | null | undefined;
  readonly dispatch: Dispatch<RowsAction>;
}

/** How far a file is, and what was found in it, in plain words. */
export function FileVerdict({ row, source, dispatch }: Props) {
  const { upload } = row;
  const replace = (file: File | null) => {
    if (file !== null) dispatch({ type: "upload", key: row.key, upload: { type: "waiting", file } });
  };
  if (upload.type === "waiting") return <Words>Waiting to be sent, {byteWords(upload.file.size)}</Words>;
  if (upload.type === "sending") {
    return (
      <Group gap="xs" wrap="nowrap" flex={1}>
        <Progress
          className={classes.grow ?? ""}
          value={upload.share * 100}
          size="sm"
          aria-label={`Uploading ${row.title}`}
        />
        <Text size="xs" c="dimmed" className="bindery-figures">
          {Math.round(upload.share * 100)}% of {byteWords(upload.file.size)}
        </Text>
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-label={`Cancel the upload of ${row.title}`}
          onClick={() => dispatch({ type: "remove", key: row.key })}
        >
          Cancel
        </Button>
      </Group>
    );
  }
  if (upload.type === "broken") {
    const retry = () => dispatch({ type: "upload", key: row.key, upload: { type: "waiting", file: upload.file } });
    return (
      <Trouble words={upload.message} title={row.title} onReplace={replace}>
        {upload.mayRetry && (
          <Button variant="default" size="compact-xs" aria-label={`Try ${row.title} again`} onClick={retry}>
            Try again
          </Button>
        )}
      </Trouble>
    );
  }
  if (source === null) return <Trouble words="This file is not here any more." title={row.title} onReplace={replace} />;
  if (source === undefined || source.state === "inspecting") {
    return (
      <Group gap={6}>
        <Loader size={12} />
        <Words>Being checked</Words>
      </Group>
    );
  }
  if (source.state === "refused") {
    const page = source.refusal?.page;
    const words = `${source.refusal?.message ?? "This file cannot be used."}${typeof page === "number" ? ` (page ${page})` : ""}`;
    return <Trouble words={words} title={row.title} onReplace={replace} />;
  }
  return (
    <Group gap="xs">
      <Group gap={4} wrap="nowrap">
        <IconCircleCheck size={16} stroke={1.75} className={classes.good} aria-label="usable" />
        <Words>
          {counted(source.pages, "page")}, {byteWords(source.bytes)}
        </Words>
      </Group>
      <DisclosureList codes={source.disclosures} />
    </Group>
  );
}

function Words({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" component="span">
      {children}
    </Text>
  );
}

interface TroubleProps {
  readonly words: string;
  readonly title: string;
  onReplace(file: File | null): void;
  readonly children?: ReactNode;
}

function Trouble({ words, title, onReplace, children }: TroubleProps) {
  return (
    <Group gap="xs" role="alert">
      <Group gap={4} wrap="nowrap" align="flex-start">
        <IconAlertTriangle size={16} stroke={1.75} className={classes.bad} aria-hidden="true" />
        <Text size="xs" className={classes.bad}>
          {words}
        </Text>
      </Group>
      {children}
      <FileButton accept="application/pdf,image/png,image/jpeg" onChange={onReplace}>
        {(props) => (
          <Button {...props} variant="default" size="compact-xs" aria-label={`Replace ${title}`}>
            Replace
          </Button>
        )}
      </FileButton>
    </Group>
  );
}
