import { isSpace } from "./characters";
import type { FilterStep } from "./filters";

/** ISO 32000-2, 7.4.2. */
export function decodeAsciiHex(data: Uint8Array): FilterStep {
  const out: number[] = [];
  let high = -1;
  let damaged = false;
  for (const byte of data) {
    if (byte === 0x3e) break;
    if (isSpace(byte)) continue;
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) {
      damaged = true;
      break;
    }
    if (high < 0) high = digit;
    else {
      out.push(high * 16 + digit);
      high = -1;
    }
  }
  if (high >= 0) out.push(high * 16);
  return { bytes: Uint8Array.from(out), damaged, isTidy: !damaged };
}

/** ISO 32000-2, 7.4.3. Grows up to four bytes for each `z`. */
export function decodeAscii85(data: Uint8Array, max: number): FilterStep | "too large" {
  const out = new ByteSink(max);
  let group: number[] = [];
  for (let i = 0; i < data.length; i += 1) {
    const byte = data[i] ?? 0;
    if (byte === 0x7e) break;
    if (isSpace(byte)) continue;
    if (byte === 0x7a && group.length === 0) {
      if (!out.push(0, 0, 0, 0)) return "too large";
      continue;
    }
    if (byte < 0x21 || byte > 0x75) return { bytes: out.bytes(), damaged: true, isTidy: false };
    group.push(byte - 0x21);
    if (group.length < 5) continue;
    if (!pushGroup(out, group, 4)) return "too large";
    group = [];
  }
  if (group.length > 1) {
    const kept = group.length - 1;
    while (group.length < 5) group.push(84);
    if (!pushGroup(out, group, kept)) return "too large";
  }
  return { bytes: out.bytes(), damaged: false, isTidy: true };
}

function pushGroup(out: ByteSink, group: readonly number[], kept: number): boolean {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0);
  const four = [value / 0x1000000, value / 0x10000, value / 0x100, value].map((part) => Math.floor(part) & 0xff);
  return out.push(...four.slice(0, kept));
}

/** ISO 32000-2, 7.4.5. */
export function decodeRunLength(data: Uint8Array, max: number): FilterStep | "too large" {
  const out = new ByteSink(max);
  let at = 0;
  while (at < data.length) {
    const length = data[at] ?? 128;
    at += 1;
    if (length === 128) break;
    if (length < 128) {
      if (!out.push(...data.subarray(at, at + length + 1))) return "too large";
      at += length + 1;
    } else {
      const byte = data[at] ?? 0;
      at += 1;
      if (!out.push(...new Array<number>(257 - length).fill(byte))) return "too large";
    }
  }
  return { bytes: out.bytes(), damaged: false, isTidy: true };
}

/** ISO 32000-2, 7.4.4, with early change, which nearly every writer uses. */
export function decodeLzw(data: Uint8Array, max: number): FilterStep | "too large" {
  const out = new ByteSink(max);
  let table: Uint8Array[] = [];
  let previous: Uint8Array | null = null;
  let width = 9;
  let held = 0;
  let bits = 0;
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >> bits) & ((1 << width) - 1);
    if (code === 257) break;
    if (code === 256) {
      table = [];
      previous = null;
      width = 9;
      continue;
    }
    const entry = lzwEntry(code, table, previous);
    if (entry === null) return { bytes: out.bytes(), damaged: true, isTidy: false };
    if (!out.append(entry)) return "too large";
    if (previous !== null && table.length < 4096 - 258) table.push(joined(previous, entry[0] ?? 0));
    previous = entry;
    const size = table.length + 259;
    width = size >= 2048 ? 12 : size >= 1024 ? 11 : size >= 512 ? 10 : 9;
  }
  return { bytes: out.bytes(), damaged: false, isTidy: true };
}

function lzwEntry(code: number, table: readonly Uint8Array[], previous: Uint8Array | null): Uint8Array | null {
  if (code < 256) return Uint8Array.of(code);
  const known = table[code - 258];
  if (known !== undefined) return known;
  if (code - 258 !== table.length || previous === null) return null;
  return joined(previous, previous[0] ?? 0);
}

function joined(head: Uint8Array, tail: number): Uint8Array {
  const out = new Uint8Array(head.length + 1);
  out.set(head);
  out[head.length] = tail;
  return out;
}

/** Collects bytes up to a limit. */
class ByteSink {
  private held = new Uint8Array(4096);
  private length = 0;

  constructor(private readonly max: number) {}

  push(...bytes: number[]): boolean {
    return this.append(bytes);
  }

  append(bytes: ArrayLike<number>): boolean {
    if (this.length + bytes.length > this.max) return false;
    if (this.length + bytes.length > this.held.length) {
      const grown = new Uint8Array(Math.max(this.held.length * 2, this.length + bytes.length));
      grown.set(this.held.subarray(0, this.length));
      this.held = grown;
    }
    this.held.set(bytes, this.length);
    this.length += bytes.length;
    return true;
  }

  bytes(): Uint8Array {
    return this.held.subarray(0, this.length);
  }
}
