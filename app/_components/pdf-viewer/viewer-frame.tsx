"use client";

import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { type KeyboardEvent, useState } from "react";
import { Document, Page, pdfjs } from "react-pdf";
import "react-pdf/dist/Page/AnnotationLayer.css";
import "react-pdf/dist/Page/TextLayer.css";
import type { ViewerProps } from "./pdf-viewer";
import classes from "./pdf-viewer.module.css";
import { Toolbar } from "./toolbar";

pdfjs.GlobalWorkerOptions.workerSrc = new URL("pdfjs-dist/build/pdf.worker.min.mjs", import.meta.url).toString();

const ASSETS = `/pdfjs/${pdfjs.version}`;
const OPTIONS = {
  cMapUrl: `${ASSETS}/cmaps/`,
  standardFontDataUrl: `${ASSETS}/standard_fonts/`,
  wasmUrl: `${ASSETS}/wasm/`,
  iccUrl: `${ASSETS}/iccs/`,
  // Only what is looked at is fetched: a book of 500 pages opens as fast as a letter.
  disableAutoFetch: true,
  disableStream: true,
  rangeChunkSize: 256 * 1024,
};

/** Padding of the desk at both sides, and its scroll bar. */
const EDGES = 2 * 16 + 16;

/** The viewer itself: one page at a time, with page keys, zoom, and links that lead to other pages. */
export function ViewerFrame({ url, pages, label }: ViewerProps) {
  const { ref, width } = useElementSize();
  const [page, setPage] = useState(1);
  const [zoom, setZoom] = useState(1);
  const [total, setTotal] = useState(pages);
  const [round, setRound] = useState(0);
  const turn = (to: number) => setPage(Math.min(Math.max(to, 1), total));
  const onKey = (event: KeyboardEvent) => {
    const target = keyTarget(event, page, total);
    if (target === null) return;
    event.preventDefault();
    turn(target);
  };
  return (
    <section ref={ref} className={classes.frame} aria-label={label}>
      <Toolbar page={page} pages={total} zoom={zoom} onTurn={turn} onZoom={setZoom} />
      <section
        className={classes.desk}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard, and pages turn there.
        tabIndex={0}
        onKeyDown={onKey}
        aria-label={`Page ${page} of ${total}`}
      >
        {width > 0 && (
          <Document
            key={round}
            file={url}
            options={OPTIONS}
            suspense={false}
            loading={<Skeleton className={classes.sheet} />}
            error={<Trouble onRetry={() => setRound((before) => before + 1)} />}
            externalLinkTarget="_blank"
            onLoadSuccess={(document) => setTotal(document.numPages)}
            onItemClick={({ pageNumber }) => turn(pageNumber)}
          >
            <Page
              pageNumber={page}
              width={(width - EDGES) * zoom}
              devicePixelRatio={Math.min(window.devicePixelRatio, 2)}
              loading={<Skeleton className={classes.sheet} />}
              error={<Trouble onRetry={() => setRound((before) => before + 1)} />}
              className={classes.page ?? ""}
            />
          </Document>
        )}
      </section>
    </section>
  );
}

function Trouble({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <Stack align="center" py="xl" gap="sm" role="alert">
      <Text size="sm">The pages cannot be shown here at the moment. Downloading may still work.</Text>
      <Button variant="default" size="xs" onClick={onRetry}>
        Try again
      </Button>
    </Stack>
  );
}

/** Returns the page that a key leads to, or null where the key means something else. */
function keyTarget(event: KeyboardEvent, page: number, pages: number): number | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  switch (event.key) {
    case "PageDown":
    case "ArrowRight":
    case "n":
      return page + 1;
    case "PageUp":
    case "ArrowLeft":
    case "p":
      return page - 1;
    case "Home":
      return 1;
    case "End":
      return pages;
    default:
      return null;
  }
}
