/** Ceilings of this installation that a person should see before they run into them. */
export interface Limits {
  readonly uploadBytesMax: number;
  readonly packetBytesMax: number;
}
