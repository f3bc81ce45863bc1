import { Text, View } from "@react-pdf/renderer";
import type { ReactElement } from "react";
import type { DocumentInput } from "../kind";
import { BOLD, REGULAR, SANS, SERIF } from "./fonts";
import { breakLongWords } from "./long-words";
import { contentWidth, INK, MM, MUTED } from "./measures";
import { Logo, Sheet } from "./page";

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

/** A title page: tenant above, the title large in the upper half, facts at the foot. */
export function Cover({ input, kicker, title, subtitle, lead, facts, footer }: CoverProps): ReactElement {
  const { letterhead } = input;
  const width = contentWidth(letterhead.paper);
  const size = title.length > 60 ? 24 : 32;
  return (
    <Sheet input={input} head="cover" title={footer.title} period={footer.period}>
      <View style={{ flexDirection: "row", justifyContent: "space-between", alignItems: "center", height: 16 * MM }}>
        <Text style={{ fontFamily: SANS, fontWeight: BOLD, fontSize: 12, lineHeight: 1.25, maxWidth: width - 55 * MM }}>
          {letterhead.tenantName}
        </Text>
        <Logo letterhead={letterhead} height={16 * MM} width={50 * MM} />
      </View>
      <View style={{ height: 1.2, backgroundColor: letterhead.accent, marginTop: 4 * MM }} />
      <View style={{ marginTop: 44 * MM, width: 150 * MM }}>
        <Text style={{ fontFamily: SANS, fontWeight: BOLD, fontSize: 10, lineHeight: 1.4, color: letterhead.accent }}>
          {kicker}
        </Text>
        <Text
          style={{
            fontFamily: SANS,
            fontWeight: BOLD,
            fontSize: size,
            lineHeight: 1.16,
            letterSpacing: -0.5,
            marginTop: 6,
          }}
          hyphenationCallback={breakLongWords({ width: 150 * MM, size, families: SANS, weight: BOLD })}
        >
          {title}
        </Text>
        <Text
          style={{ fontFamily: SANS, fontWeight: REGULAR, fontSize: 16, lineHeight: 1.35, color: MUTED, marginTop: 8 }}
          hyphenationCallback={breakLongWords({ width: 150 * MM, size: 16, families: SANS, weight: REGULAR })}
        >
          {subtitle}
        </Text>
        {lead === undefined ? null : (
          <Text
            style={{
              fontFamily: SERIF,
              fontStyle: "italic",
              fontSize: 14,
              lineHeight: 1.45,
              marginTop: 14 * MM,
              width: 125 * MM,
            }}
            hyphenationCallback={breakLongWords({ width: 125 * MM, size: 14, families: SERIF, weight: REGULAR })}
          >
            {lead}
          </Text>
        )}
      </View>
      <View style={{ flexGrow: 1 }} />
      <View style={{ flexDirection: "row", flexWrap: "wrap", marginBottom: 6 * MM }}>
        {facts.map(([label, value]) => (
          <View key={label} style={{ width: width / 2, paddingRight: 8 * MM, marginBottom: 4 * MM }}>
            <Text style={{ fontFamily: SANS, fontSize: 8, lineHeight: 1.4, color: MUTED }}>{label}</Text>
            <Text
              style={{ fontFamily: SANS, fontSize: 10.5, lineHeight: 1.4, color: INK }}
              hyphenationCallback={breakLongWords({
                width: width / 2 - 8 * MM,
                size: 10.5,
                families: SANS,
                weight: REGULAR,
              })}
            >
              {value}
            </Text>
          </View>
        ))}
      </View>
    </Sheet>
  );
}
