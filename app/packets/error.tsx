"use client";

import { WayBack } from "../_components/way-back";

interface Props {
  readonly reset: () => void;
}

/** Keeps the frame where one page of it could not be shown. */
export default function PacketsError({ reset }: Props) {
  return (
    <WayBack title="This page could not be shown" action="Try again" onAction={reset}>
      Something went wrong on our side. Nothing you submitted is lost.
    </WayBack>
  );
}
