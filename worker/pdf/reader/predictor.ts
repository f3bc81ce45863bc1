import type { PdfDict, PdfObject } from "./pdf-object";

/** Undoes the TIFF and PNG predictors (ISO 32000-2, 7.4.4.4). A last row cut short is kept as it is. */
export function undoPredictor(
  data: Uint8Array,
  parms: PdfDict,
  resolve: (value: PdfObject | undefined) => PdfObject,
): Uint8Array {
  const predictor = whole(resolve(parms.get("Predictor")), 1, 15);
  if (predictor < 2) return data;
  const colors = whole(resolve(parms.get("Colors")), 1, 32);
  const bits = whole(resolve(parms.get("BitsPerComponent")), 8, 16);
  const columns = whole(resolve(parms.get("Columns")), 1, 1 << 24);
  const pixelBytes = Math.max(1, (colors * bits) >> 3);
  const rowBytes = Math.ceil((colors * bits * columns) / 8);
  return predictor === 2 ? undoTiff(data, bits, colors, rowBytes) : undoPng(data, pixelBytes, rowBytes);
}

function whole(value: PdfObject, fallback: number, max: number): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 ? Math.min(value, max) : fallback;
}

function undoTiff(data: Uint8Array, bits: number, colors: number, rowBytes: number): Uint8Array {
  if (bits !== 8) return data;
  const out = Uint8Array.from(data);
  for (let row = 0; row < out.length; row += rowBytes) {
    const end = Math.min(row + rowBytes, out.length);
    for (let at = row + colors; at < end; at += 1) out[at] = ((out[at] ?? 0) + (out[at - colors] ?? 0)) & 0xff;
  }
  return out;
}

function undoPng(data: Uint8Array, pixelBytes: number, rowBytes: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowBytes + 1));
  const out = new Uint8Array(Math.max(0, data.length - rows));
  let written = 0;
  for (let row = 0; row < rows; row += 1) {
    const start = row * (rowBytes + 1);
    const type = data[start] ?? 0;
    const length = Math.min(rowBytes, data.length - start - 1);
    for (let i = 0; i < length; i += 1) {
      const left = i >= pixelBytes ? (out[written + i - pixelBytes] ?? 0) : 0;
      const up = row > 0 ? (out[written + i - rowBytes] ?? 0) : 0;
      const corner = row > 0 && i >= pixelBytes ? (out[written + i - rowBytes - pixelBytes] ?? 0) : 0;
      out[written + i] = ((data[start + 1 + i] ?? 0) + guess(type, left, up, corner)) & 0xff;
    }
    written += length;
  }
  return out;
}

function guess(type: number, left: number, up: number, corner: number): number {
  switch (type) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
