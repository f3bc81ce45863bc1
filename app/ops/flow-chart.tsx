"use client";

import { Group, Text } from "@mantine/core";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { Moment } from "../_components/moment";
import { Panel } from "../_components/panel";
import { numberWords } from "../_components/words";
import classes from "./ops.module.css";

type View = inferRouterOutputs<AppRouter>["operations"]["timers"];

const WIDTH = 720;
const HEIGHT = 96;

/** How many jobs waited and were worked on over the time of the timers: a burst and its draining at a glance. Previews are left out. */
export function FlowChart({ view }: { readonly view: View }) {
  const { flow } = view;
  const [first, last] = [flow.at(0), flow.at(-1)];
  if (first === undefined || last === undefined) return null;
  const most = Math.max(1, ...flow.map(({ waiting, working }) => waiting + working));
  const x = (index: number) => (index / (flow.length - 1)) * WIDTH;
  const y = (count: number) => HEIGHT - (count / most) * HEIGHT;
  const lineOf = (count: (point: View["flow"][number]) => number) =>
    flow.map((point, index) => `${x(index).toFixed(1)},${y(count(point)).toFixed(1)}`).join(" ");
  const together = lineOf(({ waiting, working }) => waiting + working);
  const working = lineOf((point) => point.working);
  return (
    <Panel
      title={`Work under way, last ${view.window === "hour" ? "hour" : "24 hours"}`}
      aside={
        <Text size="sm" c="dimmed">
          at most {numberWords(most)} at once
        </Text>
      }
    >
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className={classes.flow}
        role="img"
        aria-label={`At most ${most} jobs under way at once; now ${last.waiting} waiting and ${last.working} worked on; ${last.over} ended.`}
      >
        <polygon points={`0,${HEIGHT} ${together} ${WIDTH},${HEIGHT}`} className={classes.waiting} />
        <polygon points={`0,${HEIGHT} ${working} ${WIDTH},${HEIGHT}`} className={classes.working} />
      </svg>
      <Group justify="space-between" gap="xs">
        <Text size="xs" c="dimmed">
          <Moment at={first.at} />
        </Text>
        <Group gap="md">
          <Text size="xs" className={classes.key}>
            <span className={classes.waitingKey} aria-hidden="true" /> waiting, {numberWords(last.waiting)} now
          </Text>
          <Text size="xs" className={classes.key}>
            <span className={classes.workingKey} aria-hidden="true" /> worked on, {numberWords(last.working)} now
          </Text>
        </Group>
        <Text size="xs" c="dimmed">
          <Moment at={last.at} />
        </Text>
      </Group>
    </Panel>
  );
}
