const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** "30 Nov 2026, 09:04" in the given zone. Written out here, because browsers and Node do not agree on short names of months. */
export function instantWords(at: Date, timeZone: string): string {
  const { day, month, year, hour, minute } = partsOf(at, timeZone);
  return `${day} ${MONTHS[month - 1]} ${year}, ${hour}:${minute}`;
}

/** "09:04" in the given zone. */
export function clockWords(at: Date, timeZone: string): string {
  const { hour, minute } = partsOf(at, timeZone);
  return `${hour}:${minute}`;
}

/** "30 Nov 2026" in the given zone. */
export function dayWords(at: Date, timeZone: string): string {
  const { day, month, year } = partsOf(at, timeZone);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}

/** "Nov 2026" or "30 Nov 2026" for a period or a day as stored (`YYYY-MM`, `YYYY-MM-DD`). */
export function periodWords(period: string): string {
  const [year, month, day] = period.split("-").map(Number);
  const name = MONTHS[(month ?? 0) - 1];
  if (name === undefined) return period;
  return day === undefined ? `${name} ${year}` : `${day} ${name} ${year}`;
}

/** "4 s", "3 min", "2 h 5 min", "3 days"; below a second "0.4 s". */
export function durationWords(ms: number): string {
  if (ms < 50) return "under 0.1 s";
  if (ms < 950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return counted(Math.round(hours / 24), "day");
}

/** "4.1 MB", in powers of 1,024: the ceilings people are told are set in them. */
export function byteWords(bytes: number): string {
  if (bytes < 1_024) return counted(bytes, "byte");
  const units = ["kB", "MB", "GB"] as const;
  let value = bytes / 1_024;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** "1 page", "1,204 pages". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${numberWords(count)} ${count === 1 ? noun : plural}`;
}

/** "1,204". */
export function numberWords(count: number): string {
  return count.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** "first", "second", "third", "14th". */
export function ordinalWords(place: number): string {
  const small = ["", "first", "second", "third", "fourth", "fifth"][place];
  if (small !== undefined && small !== "") return small;
  const tail = place % 100 >= 11 && place % 100 <= 13 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${tail}`;
}

function partsOf(at: Date, timeZone: string) {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "numeric",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? "";
  return {
    day: Number(read("day")),
    month: Number(read("month")),
    year: Number(read("year")),
    hour: read("hour"),
    minute: read("minute"),
  };
}
