"use client";

import { ActionIcon, CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./reference.module.css";

interface Props {
  /** What it is, for those who cannot see where it stands: "Request of Submit a packet". */
  readonly label: string;
  readonly text: string;
}

/** Something to copy into a program or a terminal. */
export function Snippet({ label, text }: Props) {
  return (
    <div className={classes.snippet}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.2, 2.1.1). */}
      <section tabIndex={0} aria-label={label} className={classes.scroll}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton value={text} timeout={2_000}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : "Copy"}>
            <ActionIcon
              className={classes.copy ?? ""}
              variant="default"
              onClick={copy}
              aria-label={copied ? `Copied: ${label}` : `Copy: ${label}`}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}
