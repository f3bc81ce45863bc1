"use client";

import { Alert, Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconCopy, IconEyeOff } from "@tabler/icons-react";
import classes from "./secret-once.module.css";

/** A new key's secret. It is shown here and nowhere else. */
export function SecretOnce({ secret, onDone }: { readonly secret: string; onDone(): void }) {
  return (
    <Stack>
      <Alert color="caution" icon={<IconEyeOff aria-hidden="true" />} title="You will not see it again">
        <Text size="sm">Only its fingerprint is kept. If it is lost, revoke this key and make another.</Text>
      </Alert>
      <Code block className={classes.secret} data-testid="secret">
        {secret}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={secret} timeout={3_000}>
          {({ copied, copy }) => (
            <Button
              variant={copied ? "light" : "filled"}
              onClick={copy}
              data-autofocus
              leftSection={
                copied ? <IconCheck size={16} aria-hidden="true" /> : <IconCopy size={16} aria-hidden="true" />
              }
            >
              {copied ? "Copied" : "Copy the key"}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onDone}>
          I have kept it
        </Button>
      </Group>
    </Stack>
  );
}
