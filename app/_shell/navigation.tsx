"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { usePerson } from "./person";
import { type Place, placesOf } from "./places";
import classes from "./shell.module.css";

/** The places at the left. */
export function SideNavigation() {
  const { places, current } = usePlaces();
  return (
    <ul className={classes.places}>
      {places.map((place) => (
        <li key={place.href}>
          <Link href={place.href} className={classes.link} aria-current={place === current ? "page" : undefined}>
            <place.icon size={18} stroke={1.75} aria-hidden="true" />
            {place.label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The same places at the bottom of a narrow screen. */
export function BottomBar() {
  const { places, current } = usePlaces();
  return (
    <nav aria-label="Main" style={{ height: "100%" }}>
      <ul className={classes.bar}>
        {places.map((place) => (
          <li key={place.href}>
            <Link href={place.href} className={classes.barLink} aria-current={place === current ? "page" : undefined}>
              <place.icon size={20} stroke={1.75} aria-hidden="true" />
              {place.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function usePlaces(): { readonly places: Place[]; readonly current: Place | undefined } {
  const path = usePathname();
  const places = placesOf(usePerson());
  return { places, current: places.find((place) => place.covers(path)) };
}
