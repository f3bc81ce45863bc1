import { decimal } from "../drawn-text";

/** Operators that fill a tick or a dot into a box of the given size, in the colour that is set. */
export function markOperators(kind: "check" | "radio", width: number, height: number): string {
  const side = Math.min(width, height);
  const at = (x: number, y: number) =>
    `${decimal((width - side) / 2 + x * side)} ${decimal((height - side) / 2 + y * side)}`;
  if (kind === "check") {
    const corners = [at(0.18, 0.5), at(0.3, 0.6), at(0.43, 0.42), at(0.72, 0.82), at(0.84, 0.73), at(0.45, 0.18)];
    return `${corners.map((corner, index) => `${corner} ${index === 0 ? "m" : "l"}`).join(" ")} h f\n`;
  }
  const r = 0.28;
  const k = r * 0.5523;
  const c = 0.5;
  return (
    `${at(c + r, c)} m ${at(c + r, c + k)} ${at(c + k, c + r)} ${at(c, c + r)} c ` +
    `${at(c - k, c + r)} ${at(c - r, c + k)} ${at(c - r, c)} c ${at(c - r, c - k)} ${at(c - k, c - r)} ${at(c, c - r)} c ` +
    `${at(c + k, c - r)} ${at(c + r, c - k)} ${at(c + r, c)} c f\n`
  );
}
