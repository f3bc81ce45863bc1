"use client";

import { Menu, UnstyledButton } from "@mantine/core";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { useApi } from "../_trpc/client";
import { usePerson } from "./person";
import classes from "./shell.module.css";

/** Says for whom this person acts, and lets those who belong to several tenants choose. */
export function TenantSwitcher() {
  const { tenant, tenants } = usePerson();
  const api = useApi();
  const change = useMutation(
    // Nothing of one tenant may be shown under the name of another: everything is loaded anew.
    api.accounts.switchTenant.mutationOptions({ onSuccess: () => window.location.assign("/") }),
  );
  if (tenant === null) return null;
  const name = (
    <>
      <span className={classes.swatch} style={{ "--tenant-accent": tenant.accent } as CSSProperties} />
      <span className={classes.tenantName}>{tenant.name}</span>
    </>
  );
  if (tenants.length < 2) return <span className={classes.tenant}>{name}</span>;
  return (
    <Menu position="bottom-end" width={260} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton
          className={classes.tenant}
          disabled={change.isPending}
          aria-label={`Acting for ${tenant.name}. Change`}
        >
          {name}
          <IconSelector size={16} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Act for</Menu.Label>
        {tenants.map((entry) => (
          <Menu.Item
            key={entry.tenantId}
            leftSection={<IconCheck size={16} visibility={entry.tenantId === tenant.tenantId ? "visible" : "hidden"} />}
            onClick={() => change.mutate({ tenantId: entry.tenantId })}
          >
            {entry.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
