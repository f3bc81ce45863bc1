import { View } from "@react-pdf/renderer";
import type { ReactNode } from "react";

interface BlockProps {
  readonly children?: ReactNode;
  /** Points of space above and below. */
  readonly before?: number;
  readonly after?: number;
  readonly width?: number;
  /** Stays on one page. */
  readonly isTogether?: boolean;
}

/** Things that belong together, with space around them. Without children it is space alone. */
export function Block({ children, before = 0, after = 0, width, isTogether = false }: BlockProps) {
  return (
    <View
      {...(isTogether ? { wrap: false } : {})}
      style={{ marginTop: before, marginBottom: after, ...(width === undefined ? {} : { width }) }}
    >
      {children}
    </View>
  );
}

/** Things side by side. */
export function Beside({ children, gap }: { readonly children: ReactNode; readonly gap: number }) {
  return <View style={{ flexDirection: "row", gap }}>{children}</View>;
}
