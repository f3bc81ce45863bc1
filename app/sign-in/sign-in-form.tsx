"use client";

import { Alert, Button, Paper, PasswordInput, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { IconAlertTriangle, IconDownload } from "@tabler/icons-react";
import Link from "next/link";
import { signIn } from "next-auth/react";
import { type FormEvent, useState } from "react";
import { Mark } from "../_shell/brand";
import classes from "./sign-in.module.css";

interface Props {
  readonly destination: string;
  /** The way back leads to a file rather than to a page. */
  readonly isDownload: boolean;
  readonly problem: string | null;
}

/** Asks for address and password, and says plainly what went wrong. */
export function SignInForm({ destination, isDownload, problem }: Props) {
  // Sent before the code of this page is there, the form would go nowhere.
  const isReady = useMounted();
  const [stage, setStage] = useState<"asking" | "sending" | "leaving">("asking");
  const [trouble, setTrouble] = useState(problem === null ? null : wordsFor(problem));
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setStage("sending");
    const fields = new FormData(event.currentTarget);
    const answer = await signIn("credentials", {
      email: fields.get("email"),
      password: fields.get("password"),
      redirect: false,
    }).catch(() => undefined);
    if (answer?.ok === true && answer.error === null) {
      setStage("leaving");
      window.location.assign(destination);
      return;
    }
    setTrouble(wordsFor(answer?.error ?? "unreadable"));
    setStage("asking");
  };
  return (
    <main className={classes.page}>
      <Stack gap="lg" w="100%" maw={400}>
        <Stack gap="xs" align="center">
          <Mark size={36} />
          <Title order={1}>{stage === "leaving" ? "You are signed in" : "Sign in to Bindery"}</Title>
          {isDownload && stage !== "leaving" && (
            <Text c="dimmed" ta="center">
              Your file is ready once we know who you are.
            </Text>
          )}
        </Stack>
        {stage === "leaving" && isDownload ? (
          <Paper withBorder p="lg" className={classes.card}>
            <Stack gap="sm" align="flex-start">
              <IconDownload aria-hidden="true" />
              <Text role="status">The download begins. It is kept where your browser keeps files.</Text>
              <Button component={Link} href="/" variant="default">
                Go to your packets
              </Button>
            </Stack>
          </Paper>
        ) : (
          <Paper withBorder p="lg" className={classes.card} component="form" method="post" onSubmit={send}>
            <Stack gap="md">
              {trouble !== null && (
                <Alert color={trouble.tone} icon={<IconAlertTriangle aria-hidden="true" />} role="alert">
                  {trouble.words}
                </Alert>
              )}
              <TextInput
                label="E-mail address"
                name="email"
                type="email"
                autoComplete="username"
                autoCapitalize="none"
                required
                withAsterisk={false}
                size="md"
              />
              <PasswordInput
                label="Password"
                name="password"
                autoComplete="current-password"
                required
                withAsterisk={false}
                size="md"
                visibilityToggleButtonProps={{ "aria-label": "Show or hide the password" }}
              />
              <Button type="submit" size="md" loading={stage !== "asking"} disabled={!isReady}>
                Sign in
              </Button>
            </Stack>
          </Paper>
        )}
      </Stack>
    </main>
  );
}

function wordsFor(problem: string): { readonly words: string; readonly tone: "problem" | "caution" } {
  if (problem === "CredentialsSignin") {
    return { tone: "problem", words: "This address and password do not go together. Check both and try again." };
  }
  if (problem === "too_many_attempts") {
    return { tone: "caution", words: "There were too many tries for this address. Wait ten minutes, then try again." };
  }
  return { tone: "problem", words: "Signing in did not work just now. Try again in a moment." };
}
