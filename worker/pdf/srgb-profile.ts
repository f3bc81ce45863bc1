/**
 * Returns an ICC profile of the sRGB colour space (version 2.1, display class), made from the numbers of IEC 61966-2-1: the
 * primaries adapted to D50, and the transfer curve as a table.
 */
export function srgbProfile(): Uint8Array {
  const tags: readonly (readonly [string, Buffer])[] = [
    ["desc", description("sRGB IEC61966-2.1")],
    ["cprt", text("No copyright, use freely")],
    ["wtpt", xyz(0.9505, 1, 1.0891)],
    ["rXYZ", xyz(0.43607, 0.22249, 0.01392)],
    ["gXYZ", xyz(0.38515, 0.71687, 0.09708)],
    ["bXYZ", xyz(0.14307, 0.06061, 0.7141)],
    ["rTRC", curve()],
  ];
  const directory: [string, number, number][] = [];
  const data: Buffer[] = [];
  let offset = HEADER_BYTES + 4 + 12 * (tags.length + 2);
  for (const [name, bytes] of tags) {
    directory.push([name, offset, bytes.length]);
    const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
    bytes.copy(padded);
    data.push(padded);
    offset += padded.length;
  }
  // The three channels share one curve.
  const [, at, length] = directory.at(-1) ?? ["", 0, 0];
  directory.push(["gTRC", at, length], ["bTRC", at, length]);
  return Buffer.concat([header(offset), table(directory), ...data]);
}

const HEADER_BYTES = 128;

/** ICC.1:2001-04, 6.1. The date is fixed: the profile is a constant. */
function header(size: number): Buffer {
  const out = Buffer.alloc(HEADER_BYTES);
  out.writeUInt32BE(size, 0);
  out.writeUInt32BE(0x02100000, 8);
  out.write("mntrRGB XYZ ", 12, "latin1");
  [2026, 1, 1, 0, 0, 0].forEach((part, index) => {
    out.writeUInt16BE(part, 24 + index * 2);
  });
  out.write("acsp", 36, "latin1");
  xyzNumbers(0.9642, 1, 0.8249).copy(out, 68);
  return out;
}

function table(directory: readonly (readonly [string, number, number])[]): Buffer {
  const out = Buffer.alloc(4 + 12 * directory.length);
  out.writeUInt32BE(directory.length, 0);
  directory.forEach(([name, offset, length], index) => {
    out.write(name, 4 + index * 12, "latin1");
    out.writeUInt32BE(offset, 8 + index * 12);
    out.writeUInt32BE(length, 12 + index * 12);
  });
  return out;
}

function typed(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${type}\0\0\0\0`, "latin1"), body]);
}

function text(words: string): Buffer {
  return typed("text", Buffer.from(`${words}\0`, "latin1"));
}

/** The Unicode and Macintosh parts of a description stay empty. */
function description(words: string): Buffer {
  const ascii = Buffer.from(`${words}\0`, "latin1");
  const length = Buffer.alloc(4);
  length.writeUInt32BE(ascii.length, 0);
  return typed("desc", Buffer.concat([length, ascii, Buffer.alloc(4 + 4 + 2 + 1 + 67)]));
}

function xyz(x: number, y: number, z: number): Buffer {
  return typed("XYZ ", xyzNumbers(x, y, z));
}

function xyzNumbers(...values: readonly number[]): Buffer {
  const out = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    out.writeInt32BE(Math.round(value * 65536), index * 4);
  });
  return out;
}

function curve(): Buffer {
  const out = Buffer.alloc(4 + CURVE_POINTS * 2);
  out.writeUInt32BE(CURVE_POINTS, 0);
  for (let i = 0; i < CURVE_POINTS; i += 1) {
    const encoded = i / (CURVE_POINTS - 1);
    const linear = encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
    out.writeUInt16BE(Math.round(linear * 65535), 4 + i * 2);
  }
  return typed("curv", out);
}

const CURVE_POINTS = 1024;
