import { isDeepStrictEqual } from 'node:util';

/**
 * Where the embedded Firestore answers otherwise than Google's emulator, and why. Everything else must be equal.
 *
 * @typedef {import('./support/conformance.js').ConformanceRequest} ConformanceRequest
 * @typedef {import('./support/conformance.js').Reply} Reply
 *
 * @typedef {object} KnownDifference
 * @property {string} what
 * @property {string} why
 * @property {(request: ConformanceRequest, ours: Reply, theirs: Reply) => boolean} applies
 */

/** @type {KnownDifference[]} */
export const KNOWN_DIFFERENCES = [
  {
    what: 'a project that cannot be is not found',
    why: 'the emulator breaks down with a 500 that has no message, which clients try again',
    applies: ({ path }, ours, theirs) => path.startsWith('!/v1/projects/') && ours.body.error === 'NOT_FOUND' && theirs.body.error === 'UNKNOWN',
  },
  {
    what: 'an Authorization header of another kind than Bearer is refused as a token that is no JWT',
    why: 'the emulator breaks down with a 500 that has no message',
    applies: ({ authorization }, ours, theirs) => authorization !== undefined && ours.body.error === 'INVALID_ARGUMENT' && theirs.body.error === 'UNKNOWN',
  },
  {
    what: 'six aggregations are refused',
    why: 'the emulator breaks down with a 500 that has no message',
    applies: ({ path }, ours, theirs) => path.endsWith(':runAggregationQuery') && ours.body.error === 'INVALID_ARGUMENT' && theirs.body.error === 'UNKNOWN',
  },
  {
    what: 'explainOptions is answered with metrics',
    why: 'Firestore does; the emulator ignores it over REST',
    applies: ({ body }, ours, theirs) => Boolean(body?.explainOptions) && ours.body.some?.((/** @type {object} */ element) => 'explainMetrics' in element) && theirs.status === 200,
  },
  {
    what: 'queries of all collections in a transaction, and a :batchGet of nothing in one, are answered',
    why: 'the emulator breaks down with a 500 that has no message',
    applies: (request, ours, theirs) => theirs.body.error === 'UNKNOWN' && Boolean(request.body?.transaction ?? request.body?.newTransaction),
  },
  {
    what: 'the operand of a filter must be a value that could be stored',
    why: 'the emulator looks at the names of fields and at nesting only when it stores; what cannot be stored finds nothing there',
    applies: ({ path, body }, ours, theirs) => path === ':runQuery' && ours.body.error === 'INVALID_ARGUMENT' && theirs.status === 200
      && /"":\{|(\{"mapValue":\{"fields":\{"a":){21}/.test(JSON.stringify(body)),
  },
  {
    what: 'reading a document whose id is too long is refused',
    why: 'the emulator looks at the length only when it writes, and answers that there is none',
    applies: ({ path, body }, ours, theirs) => path === ':batchGet' && ours.body.error === 'INVALID_ARGUMENT' && theirs.status === 200
      && /x{1501}/.test(JSON.stringify(body)),
  },
  {
    what: 'the operand of a filter is cut off to microseconds, as a stored time is',
    why: 'the emulator keeps its nanoseconds, so that a value does not find itself',
    applies: ({ path, body }) => path === ':runQuery' && /\.\d{7,9}Z/.test(JSON.stringify(body)),
  },
  {
    what: 'a missing document, which a list shows for what is below it, has no times',
    why: 'the emulator tells when it was deleted; the reference of `showMissing` says that it has none',
    applies: ({ path }, ours, theirs) => /showMissing=true/.test(path)
      && isDeepStrictEqual(ours.body, { ...theirs.body, documents: theirs.body.documents?.map(withoutTimesIfMissing) }),
  },
];

/** @param {{name: string, createTime?: string}} document @returns {object} One that is there has a creation time. */
function withoutTimesIfMissing(document) {
  return document.createTime ? document : { name: document.name };
}

/** @param {ConformanceRequest} request @param {Reply} ours @param {Reply} theirs */
export function isKnown(request, ours, theirs) {
  return KNOWN_DIFFERENCES.some(({ applies }) => applies(request, ours, theirs));
}
