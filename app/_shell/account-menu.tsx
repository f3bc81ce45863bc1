"use client";

import { ActionIcon, Avatar, Box, Menu, Text, useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun } from "@tabler/icons-react";
import { signOut } from "next-auth/react";
import { useApiClient } from "../_trpc/client";
import { usePerson } from "./person";

const SCHEMES = [
  { value: "auto", label: "As on this device", icon: IconDeviceDesktop },
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
] as const;

/** Who is signed in, how pages look, and the way out. */
export function AccountMenu() {
  const person = usePerson();
  const client = useApiClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const leave = async () => {
    // The session ends on the server first, so that a kept cookie is worth nothing.
    await client.accounts.signOut.mutate().catch(() => undefined);
    await signOut({ callbackUrl: "/sign-in" });
  };
  return (
    <Menu position="bottom-end" width={240} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="transparent" size="lg" radius="xl">
          <Avatar size={32} radius="xl" color="accent" variant="light">
            {initialsOf(person.name)}
          </Avatar>
          <VisuallyHidden>, account of {person.name}</VisuallyHidden>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Box px="sm" py="xs">
          <Text size="sm" fw={500}>
            {person.name}
          </Text>
          <Text size="xs" c="dimmed">
            {person.email}
          </Text>
        </Box>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme.value}
            leftSection={<scheme.icon size={16} aria-hidden="true" />}
            rightSection={colorScheme === scheme.value ? <IconCheck size={16} aria-label="chosen" /> : null}
            onClick={() => setColorScheme(scheme.value)}
          >
            {scheme.label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden="true" />} onClick={leave}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const letters = [words.at(0), words.length > 1 ? words.at(-1) : undefined].map(
    (word) => [...(word ?? "")].at(0) ?? "",
  );
  return letters.join("").toUpperCase();
}
