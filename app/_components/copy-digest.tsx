"use client";

import { ActionIcon, Code, CopyButton, Group, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import classes from "./copy-digest.module.css";

/** A digest in full, and a button that copies it. */
export function CopyDigest({ digest }: { readonly digest: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Code className={classes.digest}>{digest}</Code>
      <CopyButton value={digest} timeout={2_000}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : "Copy"}>
            <ActionIcon
              variant="subtle"
              color="gray"
              onClick={copy}
              aria-label={copied ? "Digest copied" : "Copy the digest"}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}
