"use client";

import { Facts } from "../../_components/facts";
import { Moment } from "../../_components/moment";
import { Panel } from "../../_components/panel";
import type { Packet } from "./use-job-status";

/** How long what is kept. */
export function Keeping({ packet }: { readonly packet: Packet }) {
  const { artifact } = packet;
  return (
    <Panel title="Keeping">
      <Facts
        facts={[
          artifact === null ? null : ["Kept until", <Moment key="until" at={artifact.retainUntil} show="day" />],
          ["Input erased by", <Moment key="erase" at={packet.eraseBy} show="day" />],
          ["Wanted by", <Moment key="finish" at={packet.finishBy} />],
          ["Submitted", <Moment key="submitted" at={packet.acceptedAt} />],
        ]}
      />
    </Panel>
  );
}
