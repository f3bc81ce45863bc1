"use client";

import { Checkbox, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { useApi } from "../../_trpc/client";
import { ProblemNotice } from "../problem-notice";
import { RowTools } from "../row-tools";
import { counted } from "../words";
import { GroupTitle } from "./group-field";
import { Problem } from "./list-field";
import classes from "./payload-form.module.css";
import { type FieldProps, fieldId, useField, usePayloadForm } from "./use-payload";

type Document = inferRouterOutputs<AppRouter>["sources"]["library"][number];

/** Documents of the library: chosen ones first, in the order in which they are bound. */
export function PoliciesField({ node, path }: FieldProps<"policies">) {
  const library = useQuery(useApi().sources.library.queryOptions());
  const { value, problem, write } = useField(path);
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const documents = library.data ?? [];
  const others = documents.filter((document) => !chosen.includes(document.documentId));
  const pages = documents.reduce(
    (sum, document) => sum + (chosen.includes(document.documentId) ? document.pages : 0),
    0,
  );
  return (
    <fieldset className={classes.group} id={fieldId(path)}>
      <GroupTitle title={node.title} help={node.help} />
      {library.isPending && <Skeleton height={96} />}
      {library.isError && (
        <ProblemNotice title="The library could not be read" error={library.error} onRetry={() => library.refetch()} />
      )}
      {library.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          The library holds no policies yet. The packet is made without any.
        </Text>
      )}
      <Stack gap={2}>
        {chosen.map((documentId, index) => (
          <Chosen
            key={documentId}
            path={path}
            index={index}
            count={chosen.length}
            document={documents.find((document) => document.documentId === documentId)}
            onRemove={() => keepFocus(documentId, () => write(chosen.toSpliced(index, 1)))}
            documentId={documentId}
          />
        ))}
        {others.map((document) => (
          <Checkbox
            key={document.documentId}
            py={6}
            id={document.documentId}
            checked={false}
            disabled={document.state !== "accepted"}
            label={<DocumentWords document={document} />}
            onChange={() => keepFocus(document.documentId, () => write([...chosen, document.documentId]))}
          />
        ))}
      </Stack>
      {chosen.length > 0 && documents.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {counted(chosen.length, "document")}, {counted(pages, "page")}
        </Text>
      )}
      {problem !== null && <Problem>{problem}</Problem>}
    </fieldset>
  );
}

/** A document changes its place when it is chosen or left out; whoever works by keyboard stays with it. */
function keepFocus(id: string, change: () => void): void {
  change();
  requestAnimationFrame(() => document.getElementById(id)?.focus());
}

interface ChosenProps {
  readonly path: FieldProps["path"];
  readonly index: number;
  readonly count: number;
  readonly documentId: string;
  readonly document: Document | undefined;
  onRemove(): void;
}

function Chosen({ path, index, count, documentId, document, onRemove }: ChosenProps) {
  const { store } = usePayloadForm();
  const { problem } = useField([...path, index]);
  const title = document?.title ?? "A document that is not in the library any more";
  const move = (to: number) => store.move(path, index, to);
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" id={fieldId([...path, index])}>
      <Checkbox
        py={6}
        id={documentId}
        checked
        label={document === undefined ? title : <DocumentWords document={document} />}
        error={problem}
        onChange={onRemove}
      />
      <RowTools
        name={title}
        isFirst={index === 0}
        isLast={index === count - 1}
        onUp={() => move(index - 1)}
        onDown={() => move(index + 1)}
      />
    </Group>
  );
}

function DocumentWords({ document }: { readonly document: Document }) {
  return (
    <>
      {document.title}{" "}
      <Text span size="sm" c="dimmed">
        {document.state === "accepted" ? counted(document.pages, "page") : "cannot be used"}
      </Text>
    </>
  );
}
