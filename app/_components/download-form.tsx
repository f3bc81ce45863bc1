import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";

interface Props {
  readonly jobId: string;
  readonly label?: string;
}

/** A plain form: the click itself navigates, with or without scripts, and the answer is the file. [CASE-43] */
export function DownloadForm({ jobId, label = "Download" }: Props) {
  return (
    <form method="post" action={`/packets/${jobId}/download`}>
      <Button type="submit" leftSection={<IconDownload size={18} aria-hidden="true" />}>
        {label}
      </Button>
    </form>
  );
}
