// One client in a process of its own, so that its CPU time is its own. Driven by emulator.js: every message is a request
// {id, call, …}, answered by {id, result} or {id, error}.

/** @typedef {{requests: number, reads: number, writes: number, bytes: number}} Meter */

/** @type {Meter | null} */
let meter = null;

// Put in place before any client can take hold of fetch; costs all of them the same.
const plainFetch = globalThis.fetch;
globalThis.fetch = (input, init) => (meter ? meteredFetch(meter, input, init) : plainFetch(input, init));

/** @type {{[name: string]: (...args: any[]) => Promise<any>}} */
let client;

const calls = {
  /** @param {{module: string, host: string, projectId: string}} options */
  async open({ module, host, projectId }) {
    client = await import(module);
    await client.openEmulator({ host, projectId });
  },

  /** Runs a job once, and returns its result and its cost. */
  async check({ job, args }) {
    meter = { requests: 0, reads: 0, writes: 0, bytes: 0 };
    try {
      const result = await client[job](...args);
      return { result: Array.isArray(result) ? result.map(({ id }) => id) : result, meter };
    } finally {
      meter = null;
    }
  },

  /** Milliseconds of one of `times` jobs, one after the other: the median's wall time, the mean of the CPU time. */
  async turn({ job, args, times }) {
    const walls = [];
    const cpuBefore = process.cpuUsage();
    for (let i = 0; i < times; i += 1) {
      const begin = performance.now();
      await client[job](...args);
      walls.push(performance.now() - begin);
    }
    const { user, system } = process.cpuUsage(cpuBefore);
    walls.sort((a, b) => a - b);
    return { wall: walls[walls.length >> 1], cpu: (user + system) / 1000 / times };
  },
};

process.on('message', async (/** @type {any} */ { id, call, ...options }) => {
  try {
    process.send?.({ id, result: await calls[call](options) });
  } catch (error) {
    process.send?.({ id, error: error?.stack ?? `${error}` });
  }
});
process.on('disconnect', () => process.exit());

/**
 * Billed by Firestore's rules, from the requests and answers on the wire.
 * @param {Meter} record
 * @param {any} input
 * @param {any} init
 */
async function meteredFetch(record, input, init) {
  const response = await plainFetch(input, init);
  const text = await response.clone().text();
  const answer = JSON.parse(text);
  record.requests += 1;
  record.bytes += text.length;
  if (/:commit(\?|$)/.test(`${input}`)) record.writes += answer.writeResults?.length ?? 0;
  else if (/:runAggregationQuery(\?|$)/.test(`${input}`)) record.reads += 1; // Fewer than 1,000 index entries.
  else record.reads += Math.max(1, documents(answer));
  return response;
}

/** @param {any} answer Of runQuery or batchGet; a missing document is billed, too. */
function documents(answer) {
  return Array.isArray(answer) ? answer.filter(({ document, found, missing }) => document || found || missing).length : 1;
}
