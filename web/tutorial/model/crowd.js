/**
 * The load of people who all press Like at the same moment, once each.
 * @param {number} users
 * @param {number} shards
 * @param {number} seed
 * @returns {import('./recording.js').ExperimentOptions}
 */
export function crowd(users, shards, seed) {
  return { kind: 'counter', shards, delivery: 'at-least-once', users, arrivalsPerSecond: 1_000_000, thinkMs: 10_000_000, seconds: 10, seed };
}
