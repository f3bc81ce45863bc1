import classes from "./ops.module.css";

const FROM_MS = 10;
const TO_MS = 10_000_000;
const WIDTH = 180;
const DECADES = [100, 1_000, 10_000, 100_000, 1_000_000];

interface Props {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** A timer as people compare it: a line from p50 to p99 with a mark at p95, on a scale of powers of ten. The figures stand beside it. */
export function Spread({ p50, p95, p99 }: Props) {
  return (
    <svg viewBox={`0 0 ${WIDTH} 16`} width={WIDTH} height={16} className={classes.chart} aria-hidden="true">
      {DECADES.map((ms) => (
        <line key={ms} x1={placeOf(ms)} x2={placeOf(ms)} y1={0} y2={16} className={classes.decade} />
      ))}
      <line x1={placeOf(p50)} x2={Math.max(placeOf(p99), placeOf(p50) + 1)} y1={8} y2={8} className={classes.range} />
      <circle cx={placeOf(p50)} cy={8} r={4} className={classes.median} />
      <line x1={placeOf(p95)} x2={placeOf(p95)} y1={3} y2={13} className={classes.tail} />
      <line x1={placeOf(p99)} x2={placeOf(p99)} y1={5} y2={11} className={classes.tail} />
    </svg>
  );
}

function placeOf(ms: number): number {
  const share = Math.log10(Math.min(Math.max(ms, FROM_MS), TO_MS) / FROM_MS) / Math.log10(TO_MS / FROM_MS);
  return 5 + share * (WIDTH - 10);
}
