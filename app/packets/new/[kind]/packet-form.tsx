"use client";

import { Stack, Text } from "@mantine/core";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { PageHeader } from "../../../_components/page-header";
import { PayloadControl } from "../../../_components/payload-form/field";
import classes from "../../../_components/payload-form/payload-form.module.css";
import { type Node, readSchema } from "../../../_components/payload-form/schema";
import { PayloadStore } from "../../../_components/payload-form/store";
import { PayloadForm, useFormState } from "../../../_components/payload-form/use-payload";
import { emptyOf, filledFrom, payloadOf } from "../../../_components/payload-form/value";
import { useApi } from "../../../_trpc/client";
import { AudienceChoice } from "../audience-choice";
import { FinishBar } from "../finish-bar";
import type { Limits } from "../limits";
import desk from "../new-packet.module.css";
import { PreviewPane } from "../preview-pane";
import { ProblemSummary } from "../problem-summary";
import { usePreview } from "../use-preview";
import { useSubmission } from "../use-submission";
import { useUnsavedGuard } from "../use-unsaved-guard";
import type { Start } from "./start";
import { StartNotice } from "./start-notice";

export interface PacketFormProps {
  readonly kind: string;
  readonly start: Start;
  readonly limits: Limits;
}

/** A new packet of any kind: the form generated from its schema, a preview beside it, errors in their places. */
export function PacketForm({ kind, start }: PacketFormProps) {
  const described = useSuspenseQuery(useApi().packets.describeKind.queryOptions({ kind })).data;
  const node = useMemo(() => readSchema(described.schema), [described.schema]);
  const [store] = useState(
    () => new PayloadStore(start?.type === "earlier" ? filledFrom(node, start.payload) : emptyOf(node)),
  );
  const [audience, setAudience] = useState(start?.type === "earlier" ? start.audience : (described.audiences[0] ?? ""));
  const { findings, changes } = useFormState(store);
  const request = () => ({ kind, audience, payload: payloadOf(node, store.value()) });
  const submission = useSubmission((found) => store.show(found));
  const preview = usePreview((found) => store.show(found));
  useUnsavedGuard(changes > 0 && !submission.isDone);
  const sections = node.type === "group" ? sectionsOf(node) : [];
  return (
    <>
      <PageHeader
        title={start?.type === "earlier" ? `New revision: ${described.title.toLowerCase()}` : described.title}
        trail={[
          { href: "/packets", label: "Packets" },
          { href: "/packets/new", label: "New packet" },
        ]}
        description={described.description}
      />
      <div className={desk.desk}>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submission.submit(request());
          }}
        >
          <Stack gap="lg">
            <StartNotice start={start} />
            <ProblemSummary findings={findings} schema={described.schema} />
            {described.audiences.length > 1 && (
              <AudienceChoice audiences={described.audiences} audience={audience} onChange={setAudience} />
            )}
            <PayloadForm value={{ store, kind, Control: PayloadControl }}>
              <div className={classes.sections}>
                {sections.map((section) => (
                  <div key={section.key} className={classes.section}>
                    <PayloadControl node={section.node} path={section.path} isRequired={section.isRequired} />
                  </div>
                ))}
              </div>
            </PayloadForm>
          </Stack>
          <FinishBar words="Submit" submission={submission}>
            <Text size="sm" c="dimmed">
              Kept for {described.retentionYears} years; what you enter here is erased after{" "}
              {daysWords(described.inputDays)}.
            </Text>
          </FinishBar>
        </form>
        <div className={desk.side}>
          <PreviewPane preview={preview} changes={changes} onAsk={() => preview.ask(request(), changes)} />
        </div>
      </div>
    </>
  );
}

interface Section {
  readonly key: string;
  readonly node: Node;
  readonly path: readonly string[];
  readonly isRequired: boolean;
}

/** One box per group or list; loose fields that follow each other share one. */
function sectionsOf(root: Extract<Node, { type: "group" }>): Section[] {
  const sections: Section[] = [];
  let loose: (typeof root.fields)[number][] = [];
  const close = () => {
    if (loose.length === 0) return;
    sections.push({
      key: loose.map((field) => field.name).join(" "),
      node: { ...root, title: "", help: null, fields: loose },
      path: [],
      isRequired: true,
    });
    loose = [];
  };
  for (const field of root.fields) {
    const isOwnBox = ["group", "list", "alternatives", "policies", "table"].includes(field.node.type);
    if (!isOwnBox) {
      loose.push(field);
      continue;
    }
    close();
    sections.push({ key: field.name, node: field.node, path: [field.name], isRequired: field.isRequired });
  }
  close();
  return sections;
}

function daysWords(days: number): string {
  return days >= 366 ? `${Math.round(days / 365)} years` : `${days} days`;
}
