"use client";

import { Stack } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useMemo, useReducer, useState } from "react";
import { PageHeader } from "../../../_components/page-header";
import { Panel } from "../../../_components/panel";
import { PayloadControl } from "../../../_components/payload-form/field";
import { readSchema } from "../../../_components/payload-form/schema";
import { type FieldFinding, PayloadStore } from "../../../_components/payload-form/store";
import { PayloadForm, useFormState } from "../../../_components/payload-form/use-payload";
import { emptyOf, filledFrom, payloadOf } from "../../../_components/payload-form/value";
import { useSources } from "../../../_components/uploads/use-sources";
import { useApi } from "../../../_trpc/client";
import type { PacketFormProps } from "../[kind]/packet-form";
import { StartNotice } from "../[kind]/start-notice";
import { AudienceChoice } from "../audience-choice";
import desk from "../new-packet.module.css";
import { PreviewPane } from "../preview-pane";
import { ProblemSummary } from "../problem-summary";
import { usePreview } from "../use-preview";
import { useSubmission } from "../use-submission";
import { useUnsavedGuard } from "../use-unsaved-guard";
import { payloadSections, problemsByRow, rowsFrom, summarise } from "./book";
import { BookSummary } from "./book-summary";
import { RowList } from "./row-list";
import { changeRows, type RowsAction } from "./rows";
import { useUploads } from "./use-uploads";

/** A book from many people's files: upload, order, sections, and at the right what it will be and what is missing. */
export function BookComposer({ kind, start, limits }: PacketFormProps) {
  const described = useSuspenseQuery(useApi().packets.describeKind.queryOptions({ kind })).data;
  const node = useMemo(() => readSchema(described.schema), [described.schema]);
  const earlier = start?.type === "earlier" ? start : null;
  const [store] = useState(
    () => new PayloadStore(earlier === null ? emptyOf(node) : filledFrom(node, earlier.payload)),
  );
  const [rows, dispatchRows] = useReducer(changeRows, earlier?.payload ?? null, rowsFrom);
  const [audience, setAudience] = useState(earlier?.audience ?? described.audiences[0] ?? "");
  const [edits, setEdits] = useState(0);
  const { findings, changes } = useFormState(store);
  const dispatch = (action: RowsAction) => {
    dispatchRows(action);
    if (action.type === "upload") return;
    setEdits((before) => before + 1);
    // Indices of rows mean other rows now; what is still wrong comes back with the next answer.
    if (action.type !== "close") store.show(store.findings().filter((finding) => finding.path[0] !== "sections"));
  };
  useUploads(rows, dispatch);
  const sources = useSources(
    rows.flatMap((row) => (row.type === "file" && row.upload.type === "sent" ? [row.upload.sourceId] : [])),
  );
  const summary = summarise(rows, sources, audience);
  const show = (found: readonly FieldFinding[]) => store.show(found);
  const submission = useSubmission(show);
  const preview = usePreview(show);
  useUnsavedGuard(changes + edits > 0 && !submission.isDone);
  const request = () => ({
    kind,
    audience,
    payload: { ...Object(payloadOf(node, store.value())), sections: payloadSections(rows) },
  });
  const fields = node.type === "group" ? node.fields : [];
  return (
    <>
      <PageHeader
        title={earlier === null ? described.title : `New revision: ${described.title.toLowerCase()}`}
        trail={[
          { href: "/packets", label: "Packets" },
          { href: "/packets/new", label: "New packet" },
        ]}
        description={described.description}
      />
      <form
        noValidate
        className={desk.desk}
        onSubmit={(event) => {
          event.preventDefault();
          submission.submit(request());
        }}
      >
        <Stack gap="lg" miw={0}>
          <StartNotice start={start} />
          <ProblemSummary findings={findings} schema={described.schema} />
          <PayloadForm value={{ store, kind, Control: PayloadControl }}>
            {fields
              .filter((field) => field.name === "meeting")
              .map((field) => (
                <Panel key={field.name} title={field.node.title}>
                  <PayloadControl node={{ ...field.node, title: "" }} path={[field.name]} isRequired />
                </Panel>
              ))}
            <RowList
              rows={rows}
              sources={sources}
              problems={problemsByRow(rows, findings)}
              limits={limits}
              dispatch={dispatch}
            />
            <Panel title="Copy">
              <Stack gap="md">
                <AudienceChoice audiences={described.audiences} audience={audience} onChange={setAudience} />
                {fields
                  .filter((field) => field.name === "watermark")
                  .map((field) => (
                    <PayloadControl
                      key={field.name}
                      node={field.node}
                      path={[field.name]}
                      isRequired={field.isRequired}
                    />
                  ))}
              </Stack>
            </Panel>
          </PayloadForm>
        </Stack>
        <Stack gap="lg" className={desk.side}>
          <BookSummary
            summary={summary}
            submission={submission}
            bytesMax={limits.packetBytesMax}
            described={described}
          />
          <PreviewPane
            preview={preview}
            changes={changes + edits}
            isBlocked={summary.isBusy || summary.files === 0}
            onAsk={() => preview.ask(request(), changes + edits)}
          />
        </Stack>
      </form>
    </>
  );
}
