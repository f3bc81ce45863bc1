"use client";

import { AppShell, Container } from "@mantine/core";
import type { ReactNode } from "react";
import { AccountMenu } from "./account-menu";
import { Brand } from "./brand";
import { BottomBar, SideNavigation } from "./navigation";
import classes from "./shell.module.css";
import { TenantSwitcher } from "./tenant-switcher";

/** Navigation at the left (below, on a narrow screen), tenant and person on top, the page in the middle. */
export function Shell({ children }: { readonly children: ReactNode }) {
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: "sm", collapsed: { mobile: true } }}
      footer={{ height: { base: 60, sm: 0 } }}
      padding={0}
    >
      <a href="#content" className="bindery-skip">
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <Brand />
        <div className={classes.right}>
          <TenantSwitcher />
          <AccountMenu />
        </div>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Main" visibleFrom="sm">
        <SideNavigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <Container size={1200} px={{ base: "md", sm: "xl" }} py={{ base: "lg", sm: "xl" }}>
          {children}
        </Container>
      </AppShell.Main>
      <AppShell.Footer className={classes.footer} hiddenFrom="sm">
        <BottomBar />
      </AppShell.Footer>
    </AppShell>
  );
}
