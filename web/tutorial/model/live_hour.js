// The terms of the hour that live_world.js makes, and live.js reads. They are apart, because the page needs nothing else of the world.

/**
 * @typedef {'ask' | 'listen' | 'bounded'} Way
 *
 * @typedef {object} LiveOptions
 * @property {number} likes A minute.
 * @property {number} every The seconds from one question to the next, for the page that asks.
 * @property {'shown' | 'hidden'} tab `hidden`: in the middle of the hour the tab is hidden.
 *
 * @typedef {object} Viewer The page in one of the ways. Times are milliseconds since the page was opened.
 * @property {Int32Array} billedMs When reads were billed.
 * @property {Int32Array} reads Billed until then, all together.
 * @property {Int32Array} shownMs When the page showed another number.
 * @property {Int32Array} shown The number.
 *
 * @typedef {object} LiveHour
 * @property {Int32Array} likedMs When people pressed.
 * @property {Int32Array} liked All likes from then on.
 * @property {Record<Way, Viewer>} ways
 */

/** @type {Way[]} */
export const WAYS = ['ask', 'listen', 'bounded'];
export const LIVE = Object.freeze({ seconds: 3600, shards: 10, readsPerHour: 600 });
/** When the tab is hidden, and when it is shown again. */
export const HIDDEN_MS = Object.freeze({ from: 1_200_000, to: 2_400_000 });
