/** Time as an argument. Nothing but an adapter reads the machine's clock. */
export interface Clock {
  now(): Date;
  /** Milliseconds that only count up, whatever happens to the wall clock. */
  monotonicMs(): number;
}
