// Takes turns between contenders, so that the machine's other work slows all of them alike.

/**
 * @typedef {object} Summary Of one quantity over all rounds.
 * @property {number} median
 * @property {number} min
 * @property {number} max
 *
 * @typedef {{[metric: string]: number}} Sample What one turn measured.
 *
 * @typedef {object} Contender
 * @property {string} name
 * @property {(round: number) => Promise<Sample>} turn
 *
 * @typedef {object} Effort
 * @property {number} minRounds
 * @property {number} maxRounds
 * @property {number} budgetMs After the least number of rounds, no new one begins later than this.
 */

/**
 * A B C, B C A, C A B, …: no contender always comes first.
 * @param {Contender[]} contenders
 * @param {Effort} effort
 * @returns {Promise<{rounds: number, summaries: {[name: string]: {[metric: string]: Summary}}}>}
 */
export async function takeTurns(contenders, { minRounds, maxRounds, budgetMs }) {
  /** @type {Sample[][]} */
  const samples = contenders.map(() => []);
  const end = performance.now() + budgetMs;
  let rounds = 0;
  for (; rounds < maxRounds && (rounds < minRounds || performance.now() < end); rounds += 1) {
    for (let step = 0; step < contenders.length; step += 1) {
      const next = (rounds + step) % contenders.length;
      samples[next].push(await contenders[next].turn(rounds));
    }
  }
  return { rounds, summaries: Object.fromEntries(contenders.map(({ name }, i) => [name, summarize(samples[i])])) };
}

/**
 * A turn that repeats something short until a clock can tell how long it took.
 * @param {() => unknown} run
 * @param {{warmUpMs: number, turnMs: number}} options
 * @returns {Promise<() => Promise<{ms: number, cpu: number}>>} To be called when `run` is warm. `cpu` is what all threads of this
 *   process took, in milliseconds: on a busy machine it says more.
 */
export async function repeated(run, { warmUpMs, turnMs }) {
  const start = performance.now();
  let last = start;
  let once = Infinity;
  for (let runs = 0; runs < 3 || last - start < warmUpMs; runs += 1) {
    await run();
    const now = performance.now();
    once = Math.min(once, now - last);
    last = now;
  }
  const times = Math.max(1, Math.ceil(turnMs / once));
  return async () => {
    const begin = performance.now();
    const cpuBefore = process.cpuUsage();
    for (let i = 0; i < times; i += 1) await run();
    const { user, system } = process.cpuUsage(cpuBefore);
    return { ms: (performance.now() - begin) / times, cpu: (user + system) / 1000 / times };
  };
}

/**
 * @param {Sample[]} samples
 * @returns {{[metric: string]: Summary}}
 */
function summarize(samples) {
  return Object.fromEntries(Object.keys(samples[0]).map((metric) => {
    const sorted = samples.map((sample) => sample[metric]).sort((a, b) => a - b);
    return [metric, { median: median(sorted), min: sorted[0], max: sorted[sorted.length - 1] }];
  }));
}

/** @param {number[]} sorted */
function median(sorted) {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
