import { View } from "@react-pdf/renderer";
import { BOLD } from "./fonts";
import { MUTED } from "./measures";
import { Words } from "./words";

export interface SideNote {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Short facts in the margin beside running text, in the sans. */
export function SideNotes({ notes, width }: { readonly notes: readonly SideNote[]; readonly width: number }) {
  return (
    <View style={{ width }}>
      {notes.map((note) => (
        <View key={note.title} style={{ marginBottom: 14 }}>
          <Words width={width} weight={BOLD} size={8.5} color={MUTED} after={3} ahead={14}>
            {note.title}
          </Words>
          {note.lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of lines never changes within one document
            <Words key={index} width={width} size={9} after={2.5}>
              {line}
            </Words>
          ))}
        </View>
      ))}
    </View>
  );
}
