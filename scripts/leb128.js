// Unsigned numbers as WebAssembly writes them: seven bits a byte, the lowest first (LEB128).

/**
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {{value: number, end: number}} `end`: the position behind it.
 */
export function numberAt(bytes, at) {
  let value = 0;
  for (let scale = 1, end = at; ; scale *= 128, end += 1) {
    const byte = bytes[end] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128) return { value, end: end + 1 };
  }
}

/** @param {number} value */
export function encodeNumber(value) {
  const bytes = [];
  let left = value;
  for (; left > 127; left >>>= 7) bytes.push((left & 127) | 128);
  return Buffer.from([...bytes, left]);
}
