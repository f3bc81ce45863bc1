"use client";

import { Skeleton } from "@mantine/core";
import dynamic from "next/dynamic";
import classes from "./pdf-viewer.module.css";

export interface ViewerProps {
  /** Where the bytes are; ranges are asked for as pages are looked at. */
  readonly url: string;
  readonly pages: number;
  readonly label: string;
}

/** Shows a PDF page by page. The code that reads PDFs is loaded only where one is shown. */
export const PdfViewer = dynamic<ViewerProps>(() => import("./viewer-frame").then((module) => module.ViewerFrame), {
  ssr: false,
  loading: () => (
    <div className={classes.frame} aria-busy="true">
      <div className={classes.toolbar} />
      <div className={classes.desk}>
        <Skeleton className={classes.sheet} />
      </div>
    </div>
  ),
});
