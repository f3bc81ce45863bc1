import { type Setting, widthOf } from "./line-breaks";

/** Returns `text` followed by `tail`, shortened with an ellipsis so that both stay on one line: the tail is never lost. */
export function oneLine(text: string, setting: Setting, tail = ""): string {
  const room = setting.width - widthOf(tail, setting);
  if (widthOf(text, setting) <= room) return `${text}${tail}`;
  const letters = text.match(/\P{M}\p{M}*/gu) ?? [];
  while (letters.length > 0 && widthOf(`${letters.join("")}…`, setting) > room) letters.pop();
  return `${letters.join("").trimEnd()}…${tail}`;
}
