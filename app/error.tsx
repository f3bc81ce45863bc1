"use client";

import { WayBack } from "./_components/way-back";

interface Props {
  readonly reset: () => void;
}

/** For what we did not expect. The page can be tried again without losing its place. */
export default function ErrorPage({ reset }: Props) {
  return (
    <WayBack isWhole title="This page could not be shown" action="Try again" onAction={reset}>
      Something went wrong on our side. Nothing you submitted is lost.
    </WayBack>
  );
}
