"use client";

import { Badge, Group, Tooltip } from "@mantine/core";
import { disclosureWords } from "./disclosures";
import classes from "./state-badge.module.css";

/** What happens to a file when it is bound: a few words each, the whole sentence on hover, focus and for screen readers. */
export function DisclosureList({ codes }: { readonly codes: readonly string[] }) {
  if (codes.length === 0) return null;
  return (
    <Group gap={4} component="ul" m={0} p={0} style={{ listStyle: "none" }}>
      {codes.map((code) => {
        const { short, long, tone } = disclosureWords(code);
        return (
          <li key={code}>
            <Tooltip label={long} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
              <Badge
                variant="light"
                color={tone}
                radius="sm"
                className={classes.badge}
                component="button"
                type="button"
                aria-label={`${short}: ${long}`}
              >
                {short}
              </Badge>
            </Tooltip>
          </li>
        );
      })}
    </Group>
  );
}
