import { View } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import type { DocumentInput } from "../kind";
import { BOLD, SANS, SERIF } from "./fonts";
import { breakLines } from "./line-breaks";
import { contentWidth, MM, MUTED } from "./measures";
import { Masthead, Sheet } from "./page";
import { Words } from "./words";

interface CoverProps {
  readonly input: Pick<DocumentInput<unknown>, "letterhead" | "revision">;
  /** What kind of document this is. */
  readonly kicker: string;
  readonly title: string;
  readonly subtitle: string;
  /** A sentence below the title. */
  readonly lead?: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly footer: { readonly title: string; readonly period: string };
}

const TITLE_WIDTH = 150 * MM;
const LEAD_WIDTH = 125 * MM;

/** A title page: tenant above, the title large in the upper half, facts at the foot. */
export function Cover({ input, kicker, title, subtitle, lead, facts, footer }: CoverProps): ReactElement {
  const { letterhead } = input;
  const width = contentWidth(letterhead.paper);
  return (
    <Sheet input={input} head="cover" title={footer.title} period={footer.period}>
      <Masthead letterhead={letterhead} />
      <View style={{ marginTop: 42 * MM }}>
        <Words width={TITLE_WIDTH} weight={BOLD} size={10.5} color={letterhead.accent}>
          {kicker}
        </Words>
        <Words
          width={TITLE_WIDTH}
          weight={BOLD}
          size={titleSize(title)}
          leading={1.16}
          spacing={-0.5}
          before={6}
          isBalanced
        >
          {title}
        </Words>
        <Words width={TITLE_WIDTH} size={16} leading={1.35} color={MUTED} before={8}>
          {subtitle}
        </Words>
        {lead === undefined ? null : (
          <Words
            width={LEAD_WIDTH}
            families={SERIF}
            style="italic"
            size={14}
            leading={1.45}
            before={14 * MM}
            isBalanced
          >
            {lead}
          </Words>
        )}
      </View>
      <View style={{ flexGrow: 1 }} />
      <Facts facts={facts} width={width} />
    </Sheet>
  );
}

/** The largest of four sizes in which the title takes three lines at most; the smallest where it never does. */
function titleSize(title: string): number {
  const setting = { width: TITLE_WIDTH, families: SANS, weight: BOLD };
  return [32, 26, 21].find((size) => breakLines(title, { ...setting, size }).split("\n").length <= 3) ?? 16;
}

/** Two columns that read downwards in pairs. */
function Facts({ facts, width }: { readonly facts: CoverProps["facts"]; readonly width: number }) {
  const each = width / 2 - 6 * MM;
  return (
    <View style={{ flexDirection: "row", flexWrap: "wrap", columnGap: 12 * MM, rowGap: 4 * MM, marginBottom: 8 * MM }}>
      {facts.map(([label, value]) => (
        <View key={label} wrap={false} style={{ width: each }}>
          <Words width={each} size={8} color={MUTED}>
            {label}
          </Words>
          <Words width={each} size={10.5}>
            {value}
          </Words>
        </View>
      ))}
    </View>
  );
}
