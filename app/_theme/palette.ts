import type { MantineColorsTuple } from "@mantine/core";

/*
 * Ten shades each. Shade 8 is text and filled surfaces on paper, shade 4 the same on the dark ground; both reach 4.5:1 there. Components
 * name the meaning (accent, caution, problem, positive), never a colour.
 */

const accent: MantineColorsTuple = [
  "#eef6f5",
  "#dcebea",
  "#b8d7d6",
  "#8cc3c2",
  "#5fb3b3",
  "#3c9496",
  "#267c81",
  "#196d72",
  "#0f5e63",
  "#0a474b",
];

const caution: MantineColorsTuple = [
  "#fbf4e4",
  "#f6e8c6",
  "#eed493",
  "#e5bf63",
  "#dcac45",
  "#bd8c24",
  "#a07416",
  "#8a620f",
  "#75520b",
  "#583d07",
];

const problem: MantineColorsTuple = [
  "#fbf0ed",
  "#f5ddd6",
  "#ebbcaf",
  "#e39c89",
  "#e58d79",
  "#c9634c",
  "#b34c36",
  "#a2402c",
  "#913524",
  "#6e2718",
];

const positive: MantineColorsTuple = [
  "#f1f5ec",
  "#e1ead6",
  "#c5d6b1",
  "#a9c28b",
  "#9cbd7e",
  "#6f9751",
  "#587e3c",
  "#4b6d32",
  "#3f5f29",
  "#2d461c",
];

/** Warm greys of the paper scheme; the last is the ink. */
const gray: MantineColorsTuple = [
  "#f7f5f0",
  "#f0ede6",
  "#e6e2d9",
  "#d8d3c8",
  "#bfb9ac",
  "#8f897d",
  "#746e63",
  "#5c574e",
  "#3d3a35",
  "#1b1f24",
];

/** The dark scheme from its text (0) to its ground (7) and below. */
const dark: MantineColorsTuple = [
  "#e8e6e1",
  "#cdcac3",
  "#aeaba4",
  "#85827b",
  "#3a3e43",
  "#2c3035",
  "#1f2327",
  "#15171a",
  "#101215",
  "#0b0c0e",
];

export const palette = { accent, caution, problem, positive, gray, dark };
