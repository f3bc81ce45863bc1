"use client";

import { MantineProvider } from "@mantine/core";
import { ModalsProvider } from "@mantine/modals";
import { Notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { ApiProvider } from "../_trpc/client";
import { cssVariables, theme } from "./theme";

/** Look and data for every page. */
export function Providers({ nonce, children }: { readonly nonce: string; readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <ApiProvider>
        <ModalsProvider modalProps={{ withCloseButton: false }} labels={{ confirm: "Continue", cancel: "Go back" }}>
          {children}
        </ModalsProvider>
        <Notifications position="bottom-right" limit={3} />
      </ApiProvider>
    </MantineProvider>
  );
}
