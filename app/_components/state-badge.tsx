import { Badge } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconClock, IconClockPause, IconLoader2 } from "@tabler/icons-react";
import type { PublicState } from "@/server/domain/job";
import classes from "./state-badge.module.css";

interface Props {
  readonly state: PublicState;
  readonly isWaitingToRetry?: boolean;
  readonly failureCode?: string | null;
}

/** A packet's state as icon and word: never colour alone. */
export function StateBadge(props: Props) {
  const { word, tone, icon: Picture, spins } = lookOf(props);
  return (
    <Badge
      variant="light"
      color={tone}
      radius="sm"
      className={classes.badge}
      leftSection={<Picture size={14} stroke={2} aria-hidden="true" className={spins ? classes.spins : undefined} />}
    >
      {word}
    </Badge>
  );
}

function lookOf({ state, isWaitingToRetry = false, failureCode = null }: Props) {
  if (isWaitingToRetry) return { word: "Trying again", tone: "caution", icon: IconClockPause, spins: false };
  if (failureCode === "cancelled") return { word: "Cancelled", tone: "gray", icon: IconClockPause, spins: false };
  return LOOK[state];
}

const LOOK = {
  queued: { word: "Waiting", tone: "gray", icon: IconClock, spins: false },
  running: { word: "Making it", tone: "accent", icon: IconLoader2, spins: true },
  succeeded: { word: "Archived", tone: "positive", icon: IconCircleCheck, spins: false },
  failed: { word: "Failed", tone: "problem", icon: IconAlertTriangle, spins: false },
} as const;
