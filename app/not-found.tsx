import { WayBack } from "./_components/way-back";

/** For what is not there, and for what is somebody else's: both look the same. */
export default function NotFound() {
  return (
    <WayBack isWhole title="There is nothing here" href="/" action="Go to the start">
      The address may be wrong, or what it leads to is not yours to see.
    </WayBack>
  );
}
