import type { Letterhead } from "@/server/packets/kind";
import { sampleLogo } from "@/server/packets/sample-logo";

const ACCENT = "#0f5e63";

/** Returns the stationery of a tenant that does not exist, for packets made on the command line. */
export async function sampleLetterhead(): Promise<Letterhead> {
  return {
    tenantName: "Northgate Schools Trust",
    accent: ACCENT,
    logo: await sampleLogo("school", ACCENT),
    paper: "A4",
  };
}
