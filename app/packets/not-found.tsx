import { WayBack } from "../_components/way-back";

/** A packet that is not there, or is somebody else's: both look the same. */
export default function PacketNotFound() {
  return (
    <WayBack title="There is nothing here" href="/packets" action="Go to the packets">
      The address may be wrong, or what it leads to is not yours to see.
    </WayBack>
  );
}
