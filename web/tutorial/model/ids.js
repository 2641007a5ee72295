// Which ids a recorded run has given away, and which of them twice.

import { END, inOrderOf, pause } from './recording.js';

/**
 * @typedef {object} Ids In the order in which users were given them.
 * @property {Int32Array} atMs
 * @property {Float64Array} id
 * @property {Int32Array} owners Of each: how many had been given the same before.
 * @property {Int32Array} duplicatesMs When a user got an id that another user had.
 */

/**
 * @param {import('./recording.js').Recording} recording
 * @returns {Promise<Ids>}
 */
export async function idsOf({ works }) {
  await pause();
  const given = inOrderOf(works.endedMs).filter((work) => works.end[work] === END.done && (works.value[work] ?? -1) >= 0);
  await pause();
  /** @type {Map<number, number>} */
  const times = new Map();
  const owners = new Int32Array(given.length);
  for (const [place, work] of given.entries()) {
    const id = works.value[work] ?? 0;
    owners[place] = times.get(id) ?? 0;
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  await pause();
  const atMs = given.map((work) => works.endedMs[work] ?? 0);
  return {
    atMs,
    id: new Float64Array(given.length).map((_, place) => works.value[given[place] ?? 0] ?? 0),
    owners,
    duplicatesMs: atMs.filter((_, place) => (owners[place] ?? 0) > 0),
  };
}
