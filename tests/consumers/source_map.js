/** Source maps of WebAssembly: one line, whose columns are the module's bytes. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * @typedef {{sources: string[], sourcesContent: (string | null)[], mappings: string, ignoreList: number[]}} SourceMap
 * @typedef {{offset: number, source: number, line: number}} Mapping `source` and `line` count from 0.
 */

/** @param {string} url With the map inside. @returns {SourceMap} */
export function sourceMapAt(url) {
  const [, base64 = ''] = /^data:application\/json;base64,(.*)$/.exec(url) ?? [];
  return JSON.parse(Buffer.from(base64, 'base64').toString());
}

/** @param {Buffer<ArrayBuffer>} wasm @returns {SourceMap} That of a module. */
export function sourceMapIn(wasm) {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(wasm), 'sourceMappingURL');
  const text = Buffer.from(section ?? '').toString('latin1');
  return sourceMapAt(text.slice(text.indexOf('data:')));
}

/** Where the byte of a module comes from: the last mapping before it. @param {SourceMap} map @param {number} offset */
export function placeOf(map, offset) {
  return mappingsOf(map).findLast((mapping) => mapping.offset <= offset);
}

/** The first byte of what comes from a line, or from the next that made any. @param {SourceMap} map @param {number} source @param {number} line */
export function offsetOf(map, source, line) {
  const after = mappingsOf(map).filter((mapping) => mapping.source === source && mapping.line >= line);
  return after.sort((a, b) => a.line - b.line || a.offset - b.offset)[0]?.offset;
}

/** @param {SourceMap} map @returns {Mapping[]} From the first byte to the last. */
function mappingsOf({ mappings }) {
  let [offset, source, line] = [0, 0, 0];
  return mappings.split(',').map((segment) => {
    const [columns = 0, sources = 0, lines = 0] = numbersIn(segment);
    offset += columns;
    source += sources;
    line += lines;
    return { offset, source, line };
  });
}

/** @param {string} segment */
function numbersIn(segment) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
