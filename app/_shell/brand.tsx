import Link from "next/link";
import classes from "./shell.module.css";

/** Our name and mark: folded sheets held by a stitch. */
export function Brand() {
  return (
    <Link href="/" className={classes.brand}>
      <Mark />
      Bindery
    </Link>
  );
}

export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 22 22" fill="none" aria-hidden="true" className={classes.mark}>
      <path
        d="M11 4.5C9 3 6 2.6 2.5 3v14.4C6 17 9 17.5 11 19c2-1.5 5-2 8.500-1.600V3C16 2.600 13 3 11 4.500Z"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinejoin="round"
      />
      <path d="M11 6.500v2M11 10.500v2M11 14.500v2" stroke="currentColor" strokeWidth="1.600" strokeLinecap="round" />
    </svg>
  );
}
