"use client";

import { Anchor, Group, Stack, Text, Title } from "@mantine/core";
import Link from "next/link";
import type { ReactNode } from "react";
import classes from "./page-header.module.css";

interface Props {
  readonly title: string;
  /** Where this page stands, from the outermost place inwards. */
  readonly trail?: readonly { readonly href: string; readonly label: string }[];
  readonly description?: ReactNode;
  /** The one thing to do next. */
  readonly action?: ReactNode;
}

/** Breadcrumb, title and one primary action. */
export function PageHeader({ title, trail = [], description, action }: Props) {
  return (
    <header className={classes.header}>
      <Stack gap={4} className={classes.words}>
        {trail.length > 0 && (
          <nav aria-label="Breadcrumb">
            <ol className={classes.trail}>
              {trail.map((place) => (
                <li key={place.href}>
                  <Anchor component={Link} href={place.href} size="sm" c="dimmed" underline="hover">
                    {place.label}
                  </Anchor>
                </li>
              ))}
            </ol>
          </nav>
        )}
        <Title order={1} className={classes.title}>
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" component="div">
            {description}
          </Text>
        )}
      </Stack>
      {action !== undefined && <Group gap="xs">{action}</Group>}
    </header>
  );
}
