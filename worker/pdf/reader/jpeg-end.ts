/** True for a JPEG that begins with SOI and holds EOI; some writers leave padding behind it. */
export function isWholeJpeg(bytes: Uint8Array): boolean {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return bytes[0] === 0xff && bytes[1] === 0xd8 && data.lastIndexOf(END) >= 0;
}

/** Returns the picture with the end that its writer forgot: decoders show it all the same. */
export function withJpegEnd(bytes: Uint8Array): Uint8Array {
  return isWholeJpeg(bytes) ? bytes : Buffer.concat([bytes, END]);
}

const END = Buffer.from([0xff, 0xd9]);
