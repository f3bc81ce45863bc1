import { Page, View } from "@react-pdf/renderer";
import type { ReactElement, ReactNode } from "react";
import type { DocumentInput, Letterhead } from "../kind";
import { revisionWords } from "../revision-words";
import { Picture } from "./figure";
import { BOLD, SANS } from "./fonts";
import { contentWidth, HAIRLINE, INK, MARGIN, MM, MUTED } from "./measures";
import { oneLine } from "./one-line";
import { Words } from "./words";

/** The right end of the footer belongs to the page number, which is stamped when the packet is assembled. */
const PAGE_NUMBER_WIDTH = 40 * MM;
const LOGO_HEIGHT = 16 * MM;
const NAME_HEIGHT = 8 * MM;
const LOGO_WIDTH = 50 * MM;

interface SheetProps {
  readonly input: Pick<DocumentInput<unknown>, "letterhead" | "revision">;
  /** What the footer calls the document, and its month or day. */
  readonly title: string;
  readonly period: string;
  /** `letter`: full letterhead on the first page. `running`: a line on every page. `cover`: neither. */
  readonly head: "letter" | "running" | "cover";
  readonly children: ReactNode;
}

/**
 * A page, or as many as the content needs, with the tenant's head and a footer that says what this is. What repeats comes before the
 * content: the paginator repeats only what the flow has passed. `experimentalPagination` is the renderer's linear engine.
 */
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
        fontFamily: [...SANS],
        fontSize: 10,
        color: INK,
      }}
    >
      {head === "running" ? <RunningHead letterhead={letterhead} title={title} /> : null}
      <Footer
        letterhead={letterhead}
        words={[title, period, `Revision ${revisionWords(revision)}`, revision.shortId].filter((word) => word !== "")}
      />
      {head === "letter" ? (
        <View style={{ marginBottom: 10 * MM }}>
          <Masthead letterhead={letterhead} />
        </View>
      ) : null}
      {children}
    </Page>
  );
}

/** Tenant's name and logo, at most 16 mm high, over a thin rule in the tenant's colour. */
export function Masthead({ letterhead }: { readonly letterhead: Letterhead }) {
  const width = contentWidth(letterhead.paper);
  const nameWidth = letterhead.logo === null ? width : width - LOGO_WIDTH - 6 * MM;
  return (
    <View>
      <View
        style={{
          flexDirection: "row",
          alignItems: "center",
          justifyContent: "space-between",
          minHeight: letterhead.logo === null ? NAME_HEIGHT : LOGO_HEIGHT,
        }}
      >
        <Words width={nameWidth} weight={BOLD} size={13} leading={1.25}>
          {letterhead.tenantName}
        </Words>
        {letterhead.logo === null ? null : (
          <Picture png={letterhead.logo} heightMax={LOGO_HEIGHT} widthMax={LOGO_WIDTH} />
        )}
      </View>
      <View style={{ height: 1.2, backgroundColor: letterhead.accent, marginTop: 3 * MM }} />
    </View>
  );
}

const SMALL = 8;

function RunningHead({ letterhead, title }: { readonly letterhead: Letterhead; readonly title: string }) {
  const width = contentWidth(letterhead.paper);
  const half = width / 2 - 4 * MM;
  return (
    <View fixed style={{ position: "absolute", top: 11 * MM, left: MARGIN, width }}>
      <View style={{ flexDirection: "row", justifyContent: "space-between" }}>
        <Words width={half} size={SMALL} weight={BOLD} leading={1.2}>
          {oneLine(letterhead.tenantName, { width: half, size: SMALL, families: SANS, weight: BOLD })}
        </Words>
        <Words width={half} size={SMALL} color={MUTED} leading={1.2} align="right">
          {oneLine(title, { width: half, size: SMALL, families: SANS, weight: 400 })}
        </Words>
      </View>
      <View style={{ height: 0.8, backgroundColor: letterhead.accent, marginTop: 2 * MM }} />
    </View>
  );
}

function Footer({ letterhead, words }: { readonly letterhead: Letterhead; readonly words: readonly string[] }) {
  const width = contentWidth(letterhead.paper);
  const room = width - PAGE_NUMBER_WIDTH;
  const [title = "", ...rest] = words;
  const tail = rest.map((word) => `  ·  ${word}`).join("");
  const setting = { size: SMALL, families: SANS, weight: 400 };
  return (
    <View fixed style={{ position: "absolute", bottom: 9.2 * MM, left: MARGIN, width }}>
      <View style={{ height: 0.5, backgroundColor: HAIRLINE, marginBottom: 2 * MM }} />
      <Words width={room} size={SMALL} color={MUTED} leading={1.2}>
        {oneLine(title, { ...setting, width: room }, tail)}
      </Words>
    </View>
  );
}
