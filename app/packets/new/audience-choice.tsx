"use client";

import { Radio, Stack } from "@mantine/core";

interface Props {
  readonly audiences: readonly string[];
  readonly audience: string;
  onChange(audience: string): void;
}

/** Which copy of a packet this is to be. */
export function AudienceChoice({ audiences, audience, onChange }: Props) {
  return (
    <Radio.Group label="Who is it for?" value={audience} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {audiences.map((entry) => (
          <Radio
            key={entry}
            value={entry}
            label={AUDIENCES[entry]?.label ?? entry}
            description={AUDIENCES[entry]?.help}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

const AUDIENCES: Readonly<Record<string, { label: string; help: string }>> = {
  board: { label: "Board copy", help: "Everything, closed sessions included." },
  public: { label: "Public copy", help: "Without the closed files: they leave no trace in it." },
};
