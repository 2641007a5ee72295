// The values that an app's own `fetch` may return or throw instead of a Response.

/** @typedef {import('../emulator/support/random.js').Random} Random */

const STATUSES = [undefined, null, NaN, -1, 0, 1e9, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 200.5, '200', '', {}, [], [200], true, 200n, Infinity, 99, 1000,
  Symbol.iterator];

const BODIES = [undefined, null, 5, 1e9, 2 ** 40, NaN, 'text', {}, [], [1, 2], { byteLength: 5 }, { length: 1e9 }, true, 12n, Symbol.iterator,
  () => new ArrayBuffer(4), new Date(0), new Map()];

const REASONS = [undefined, null, 0, '', 'no', {}, new TypeError('Failed to fetch'), new DOMException('gone', 'AbortError'), Symbol.iterator,
  Object.freeze({ message: 5 }), { get message() { throw new Error('no message'); } }];

/**
 * @typedef {{status: number, body: Uint8Array}} Answer
 * @type {{[name: string]: (random: Random, answer: Answer) => unknown}}
 */
const RESPONSES = {
  status(random, { body }) {
    return { ...response({ status: 200, body }), status: random.pick(STATUSES) };
  },
  statusThrows: (_, { body }) => ({ get status() { throw new Error('no status'); }, arrayBuffer: async () => body.slice().buffer }),
  body: (random, { status }) => ({ status, arrayBuffer: async () => random.pick(BODIES) }),
  bodyNow: (random, { status }) => ({ status, arrayBuffer: () => random.pick(BODIES) }),
  bodyRejects: (random, { status }) => ({ status, arrayBuffer: () => Promise.reject(random.pick(REASONS)) }),
  bodyThrows: (random, { status }) => ({ status, arrayBuffer() { throw random.pick(REASONS); } }),
  bodyDetached(_, { status, body }) {
    const { buffer } = body.slice();
    structuredClone(buffer, { transfer: [buffer] });
    return { status, arrayBuffer: async () => buffer };
  },
  noBody: (_, { status }) => ({ status }),
  bodyRead(_, { status, body }) {
    const read = new Response(body, { status });
    void read.arrayBuffer();
    return read;
  },
  noResponse: (random) => random.pick([undefined, null, 0, 1, '', 'x', true, 5n, Symbol.iterator, {}, [], () => {}, new Response(null, { status: 204 }),
    Response.error(), new Proxy({}, { get() { throw new Error('trap'); } })]),
  thenable: () => ({ then(/** @type {(value: unknown) => void} */ resolve) { resolve(7); resolve(8); } }),
  rejects: (random) => Promise.reject(random.pick(REASONS)),
  throws(random) { throw random.pick(REASONS); },
};
const NAMES = Object.keys(RESPONSES);

/** @param {Answer} answer */
export function response({ status, body }) {
  return { status, arrayBuffer: async () => body.slice().buffer };
}

/**
 * Returns the value that fetch() is to return, or throws the error that it is to throw.
 * @param {Random} random
 * @param {Answer} answer What the server really said.
 * @returns {{what: string, make: () => unknown}}
 */
export function hostileResponse(random, answer) {
  const name = random.pick(NAMES);
  return { what: `fetch: ${name}`, make: () => RESPONSES[name](random, answer) };
}
