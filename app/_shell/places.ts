import type { Icon } from "@tabler/icons-react";
import { IconActivityHeartbeat, IconFilePlus, IconFiles, IconMailOpened, IconSettings } from "@tabler/icons-react";
import type { SessionView } from "@/server/services/accounts/read-session";

export interface Place {
  readonly href: string;
  readonly label: string;
  readonly icon: Icon;
  /** True where this address belongs to the place. */
  covers(path: string): boolean;
}

const NEW = "/packets/new";

/** Returns where this person can go, in the order of the navigation. What they may do there is decided by the services. */
export function placesOf(view: SessionView): Place[] {
  const role = view.tenant?.role;
  const mayRead = role === "admin" || role === "coordinator" || role === "viewer";
  return [
    ...(mayRead ? [packets] : []),
    ...(maySubmit(view) ? [newPacket] : []),
    ...(role === undefined && view.isOperator ? [] : [mine]),
    ...(role === "admin" ? [settings] : []),
    ...(view.isOperator ? [operations] : []),
  ];
}

/** True where this person's role lets them make packets for the tenant they act for. */
export function maySubmit({ tenant }: Pick<SessionView, "tenant">): boolean {
  return tenant?.role === "admin" || tenant?.role === "coordinator";
}

const packets: Place = {
  href: "/packets",
  label: "Packets",
  icon: IconFiles,
  covers: (path) => path.startsWith("/packets") && !path.startsWith(NEW),
};

const newPacket: Place = {
  href: NEW,
  label: "New packet",
  icon: IconFilePlus,
  covers: (path) => path.startsWith(NEW),
};

const mine: Place = {
  href: "/my-packets",
  label: "My packets",
  icon: IconMailOpened,
  covers: (path) => path.startsWith("/my-packets"),
};

const operations: Place = {
  href: "/ops",
  label: "Operations",
  icon: IconActivityHeartbeat,
  covers: (path) => path.startsWith("/ops"),
};

const settings: Place = {
  href: "/settings/api-keys",
  label: "Settings",
  icon: IconSettings,
  covers: (path) => path.startsWith("/settings"),
};
