/**
 * A run of the tests is short by default and long with SHARDLINE_RUN=long. The short run has the tests that tell most; the long run
 * has all of them, with more seeds.
 */
const RUNS = ['default', 'long'];
const run = process.env.SHARDLINE_RUN || 'default';
if (!RUNS.includes(run)) throw new Error(`SHARDLINE_RUN must be one of ${RUNS.join(', ')}; got ${run}.`);

export const isLong = run === 'long';

/**
 * The value of this run, such as a number of seeds.
 * @template T
 * @param {T} byDefault
 * @param {T} inLongRun
 */
export const inRun = (byDefault, inLongRun) => (isLong ? inLongRun : byDefault);
