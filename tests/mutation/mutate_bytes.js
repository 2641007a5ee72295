// Answers that a broken connection or a broken proxy leaves behind.

import { truthOf } from './mutate_tree.js';

/**
 * @typedef {import('../emulator/support/random.js').Random} Random
 * @typedef {{bytes: Uint8Array, truth: import('./mutate_tree.js').Truth, what: string}} MutatedBytes
 */

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const LONG = 8 * 2 ** 20;

/** @param {Uint8Array[]} parts */
function join(...parts) {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** @param {Uint8Array} bytes @param {number} at @param {Uint8Array} more */
const insert = (bytes, at, more) => join(bytes.subarray(0, at), more, bytes.subarray(at));

/** @type {{[name: string]: (random: Random, bytes: Uint8Array) => Uint8Array}} */
const MUTATIONS = {
  cut: (random, bytes) => bytes.slice(0, random.between(0, Math.max(bytes.length - 1, 0))),
  cutFront: (random, bytes) => bytes.slice(random.between(1, bytes.length)),
  flip(random, bytes) {
    const copy = bytes.slice();
    if (copy.length > 0) copy[random.between(0, copy.length - 1)] ^= 1 << random.between(0, 7);
    return copy;
  },
  overwrite(random, bytes) {
    const copy = bytes.slice();
    for (let i = random.between(1, 8); i > 0 && copy.length > 0; i -= 1) copy[random.between(0, copy.length - 1)] = random.between(0, 255);
    return copy;
  },
  insert: (random, bytes) => insert(bytes, random.between(0, bytes.length),
    Uint8Array.from({ length: random.between(1, 40) }, () => random.between(0, 255))),
  insertJson: (random, bytes) => insert(bytes, random.between(0, bytes.length),
    encoder.encode(random.pick(['"', '\\', '{', '}', '[', ']', ',', ':', 'null', '"a":1,', ',{}', '\\u', '\\ud800', '-', 'e', '\u2028']))),
  mark: (_, bytes) => join(Uint8Array.of(0xef, 0xbb, 0xbf), bytes),
  notUtf8: (random, bytes) => insert(bytes, random.between(0, bytes.length), Uint8Array.from(
    random.pick([[0xff], [0xfe, 0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80], [0xe2, 0x82]]))),
  twice: (_, bytes) => join(bytes, bytes),
  followed: (random, bytes) => join(bytes, encoder.encode(random.pick(['x', '\u0000', '}', ']', ',', '{}', '\n\n[]']))),
  spaces: (_, bytes) => join(encoder.encode(' \r\n\t'), bytes, encoder.encode('\n\n  ')),
  empty: () => new Uint8Array(),
  page: () => encoder.encode('<!DOCTYPE html><html><body>Please log in.</body></html>'),
  word: (random) => encoder.encode(random.pick(['null', '0', '""', 'true', '[]', '{}', '[{}]', '[[]]', '[null]', '{"error":{}}', '[{"error":{}}]',
    '{"error":null}', '{"error":"invalid_token"}', '[{"readTime":"2019-01-01T00:00:00Z"}]', 'undefined'])),
  zeros: (random) => new Uint8Array(random.between(1, 200)),
};
const NAMES = Object.keys(MUTATIONS);

/** Rare, as each takes milliseconds. @type {{[name: string]: (random: Random, text: string) => string}} */
const HUGE = {
  digits: (_, text) => text.replace(/"integerValue":\s*"[^"]*"/, `"integerValue":"${'7'.repeat(LONG)}"`),
  number: (_, text) => text.replace(/"integerValue":\s*"[^"]*"/, `"doubleValue":${'7'.repeat(LONG)}`),
  time: (_, text) => text.replace(/Time":\s*"[^"]*"/, `Time":"${'2'.repeat(LONG)}"`),
  name: (_, text) => text.replace(/"name":\s*"[^"]*"/, `"name":"${'a/'.repeat(LONG / 2)}"`),
  spaces: (_, text) => text.replace(':', `:${' '.repeat(LONG)}`),
  brackets: () => '['.repeat(LONG),
  members: (_, text) => text.replace('{', `{${'"x":1,'.repeat(LONG / 6)}`),
  message: () => `{"error":{"code":500,"status":"INTERNAL","message":"${'é'.repeat(LONG / 2)}"}}`,
  status: () => `{"error":{"code":500,"status":"${'S'.repeat(LONG)}"}}`,
  nothing: () => ' '.repeat(LONG),
};

/**
 * @param {Random} random
 * @param {Uint8Array} bytes JSON
 * @returns {MutatedBytes}
 */
export function mutateBytes(random, bytes) {
  const original = JSON.parse(strict.decode(bytes));
  const name = random.pick(NAMES);
  const mutated = MUTATIONS[name](random, bytes);
  return { bytes: mutated, truth: judge(original, mutated, name === 'overwrite'), what: name };
}

/**
 * @param {Random} random
 * @param {Uint8Array} bytes JSON
 * @returns {MutatedBytes}
 */
export function makeHuge(random, bytes) {
  const name = random.pick(Object.keys(HUGE));
  return { bytes: encoder.encode(HUGE[name](random, strict.decode(bytes))), truth: 'lie', what: `8 MB: ${name}` };
}

/** @param {unknown} original @param {Uint8Array} bytes @param {boolean} severally Whether several places were changed. */
function judge(original, bytes, severally) {
  let text;
  try {
    text = strict.decode(bytes);
  } catch {
    return 'broken';
  }
  return truthOf(original, text, severally);
}
