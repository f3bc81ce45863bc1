import type { Database } from "@/server/db/client";
import type { LinkKeys } from "@/server/domain/download-link";
import type { ArtifactKey, PreviewKey, SourceKey } from "@/server/domain/ids";
import type { Lanes } from "@/server/domain/lane";
import type { Archive } from "@/server/ports/archive";
import type { Clock } from "@/server/ports/clock";
import type { Enqueue, EnqueueMany } from "@/server/queue/enqueue";

/** What every use case is given. Nothing has a default, so that a test and the product say the same. */
export interface Context {
  readonly db: Database;
  readonly enqueue: Enqueue;
  readonly enqueueMany: EnqueueMany;
  readonly clock: Clock;
  readonly archive: Archive<ArtifactKey>;
  readonly previews: Archive<PreviewKey>;
  readonly sources: Archive<SourceKey>;
  readonly lanes: Lanes;
  readonly incomingDirectory: string;
  readonly uploadBytesMax: number;
  readonly linkKeys: LinkKeys;
  readonly linkMsMax: number;
}
