import { Image, Page, Text, View } from "@react-pdf/renderer";
import type { ReactElement, ReactNode } from "react";
import type { DocumentInput, Letterhead } from "../kind";
import { BOLD, REGULAR, SANS } from "./fonts";
import { breakLongWords } from "./long-words";
import { contentWidth, HAIRLINE, INK, MARGIN, MM, MUTED } from "./measures";

/** The right end of the footer belongs to the page number, which is stamped when the packet is assembled. */
const PAGE_NUMBER_WIDTH = 40 * MM;

interface SheetProps {
  readonly input: Pick<DocumentInput<unknown>, "letterhead" | "revision">;
  /** What the footer calls the document, and its month or day. */
  readonly title: string;
  readonly period: string;
  /** `letter`: full letterhead on the first page. `running`: a line on every page. `cover`: neither. */
  readonly head: "letter" | "running" | "cover";
  readonly children: ReactNode;
}

/** A page, or as many as the content needs, with the tenant's head and a footer that says what this is. */
export function Sheet({ input, title, period, head, children }: SheetProps): ReactElement {
  const { letterhead, revision } = input;
  return (
    <Page
      experimentalPagination
      size={letterhead.paper}
      style={{
        paddingTop: head === "running" ? 27 * MM : MARGIN,
        paddingBottom: 24 * MM,
        paddingHorizontal: MARGIN,
        fontFamily: SANS,
        fontSize: 10,
        color: INK,
      }}
    >
      {head === "running" ? <RunningHead letterhead={letterhead} title={title} /> : null}
      {head === "letter" ? <LetterheadBlock letterhead={letterhead} /> : null}
      {children}
      <Footer
        letterhead={letterhead}
        words={[title, period, `Revision ${revision.number}`, revision.shortId].filter((word) => word !== "")}
      />
    </Page>
  );
}

/** Tenant's name and logo, at most 16 mm high, over a thin rule in the tenant's colour. */
export function LetterheadBlock({ letterhead }: { readonly letterhead: Letterhead }) {
  const width = contentWidth(letterhead.paper);
  return (
    <View style={{ marginBottom: 12 * MM }}>
      <View style={{ flexDirection: "row", alignItems: "center", justifyContent: "space-between", minHeight: 12 * MM }}>
        <Text
          style={{ fontFamily: SANS, fontWeight: BOLD, fontSize: 13, lineHeight: 1.25, maxWidth: width - 55 * MM }}
          hyphenationCallback={breakLongWords({ width: width - 55 * MM, size: 13, families: SANS, weight: BOLD })}
        >
          {letterhead.tenantName}
        </Text>
        <Logo letterhead={letterhead} height={16 * MM} width={50 * MM} />
      </View>
      <View style={{ height: 1.2, backgroundColor: letterhead.accent, marginTop: 3 * MM }} />
    </View>
  );
}

/** Picture bytes come as PNG that we encoded ourselves; the renderer's cache is off, so nothing outlives the document. */
export function Logo({
  letterhead,
  height,
  width,
}: {
  readonly letterhead: Letterhead;
  readonly height: number;
  readonly width: number;
}) {
  if (letterhead.logo === null) return null;
  return (
    <Image
      src={Buffer.from(letterhead.logo)}
      cache={false}
      style={{ maxHeight: height, maxWidth: width, objectFit: "contain", objectPosition: "100% 50%" }}
    />
  );
}

function RunningHead({ letterhead, title }: { readonly letterhead: Letterhead; readonly title: string }) {
  return (
    <View fixed style={{ position: "absolute", top: 11 * MM, left: MARGIN, right: MARGIN }}>
      <View style={{ flexDirection: "row", justifyContent: "space-between" }}>
        <Text style={{ fontSize: 8, fontWeight: BOLD, maxWidth: "58%", maxLines: 1, textOverflow: "ellipsis" }}>
          {letterhead.tenantName}
        </Text>
        <Text style={{ fontSize: 8, color: MUTED, maxWidth: "40%", maxLines: 1, textOverflow: "ellipsis" }}>
          {title}
        </Text>
      </View>
      <View style={{ height: 0.8, backgroundColor: letterhead.accent, marginTop: 2.2 * MM }} />
    </View>
  );
}

function Footer({ letterhead, words }: { readonly letterhead: Letterhead; readonly words: readonly string[] }) {
  const width = contentWidth(letterhead.paper);
  return (
    <View fixed style={{ position: "absolute", bottom: 9.2 * MM, left: MARGIN, right: MARGIN }}>
      <View style={{ height: 0.5, backgroundColor: HAIRLINE, marginBottom: 2 * MM }} />
      <Text
        style={{
          fontFamily: SANS,
          fontWeight: REGULAR,
          fontSize: 8,
          lineHeight: 1.2,
          color: MUTED,
          width: width - PAGE_NUMBER_WIDTH,
          maxLines: 1,
          textOverflow: "ellipsis",
        }}
      >
        {words.join("  ·  ")}
      </Text>
    </View>
  );
}
