// The address says all that a view shows, so that a link shows another reader the very same:
// `#/<chapter>/<step>?shards=10&seed=7&t=1234`.

/**
 * @typedef {object} Address
 * @property {string} chapter `playground`; empty for the table of contents.
 * @property {string} step Empty: the first one.
 * @property {Record<string, string>} knobs The values in the address, right or wrong.
 * @property {number | null} seed
 * @property {number | null} atMs Where in the run. Null: it has not been started.
 * @property {string} hash The whole `location.hash`.
 */

export const LARGEST_SEED = 2 ** 31 - 1;

/**
 * @param {string} hash `location.hash`
 * @returns {Address} Without its wrong parts.
 */
export function parseAddress(hash) {
  const [, path = '', query = ''] = /^#\/([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const [chapter = '', step = ''] = path.split('/');
  const { seed, t, ...knobs } = Object.fromEntries(new URLSearchParams(query));
  return { chapter, step, knobs, seed: parseInteger(seed, LARGEST_SEED), atMs: parseInteger(t, Number.MAX_SAFE_INTEGER), hash };
}

/**
 * @param {Partial<Address>} address
 * @returns {string} `#/…`
 */
export function formatAddress({ chapter = '', step = '', knobs = {}, seed = null, atMs = null }) {
  const query = new URLSearchParams(knobs);
  if (seed !== null) query.set('seed', String(seed));
  if (atMs !== null) query.set('t', String(Math.round(atMs)));
  return `#/${[chapter, step].filter(Boolean).join('/')}${query.size > 0 ? `?${query}` : ''}`;
}

/**
 * @param {string | undefined} digits
 * @param {number} most
 */
function parseInteger(digits, most) {
  return digits !== undefined && /^\d{1,16}$/.test(digits) ? Math.min(Number(digits), most) : null;
}
