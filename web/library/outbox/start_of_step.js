// Where the next step of a record starts from.
//
//   the storage holds                     the step starts from
//   the record that was seen, or newer    what is stored
//   an older copy of it                   what was seen
//   nothing, and nobody here waits        nothing: it was settled, and settled records go after a while
//   nothing, or another epoch, and        what is stored. What was seen is lost: after the other tabs have been asked whether it was
//   somebody here waits                   settled, it is put back as a record of its own
//   anything, and the last step could     what was seen; unless another tab has changed what is stored since: then what was seen
//   not be stored                         is lost in the same manner
//
// Nothing is counted twice by that: batches keep their ids, and the ledger tells which of them it has. When it has gone on with
// batches that this record does not know, its entries end as outcome-unknown.

/**
 * @typedef {Pick<import('./stored_text.js').Stored, 'epoch' | 'version' | 'by' | 'state' | 'upTo'>} Start
 *
 * @typedef {object} Unsaved What is known of the storage while what was seen is not stored.
 * @property {string | undefined} text What was stored before; undefined also if that is not known.
 * @property {import('./record_state.js').Seen | undefined} base What was seen of it.
 *
 * @typedef {object} Situation
 * @property {string | undefined} text What is stored.
 * @property {Start | undefined} stored The same, as a record.
 * @property {import('./record_state.js').Seen | undefined} seen
 * @property {Unsaved | undefined} unsaved
 * @property {string} by Who is about to take the step.
 * @property {boolean} isWaitedFor Whether somebody here waits for what was seen.
 */

/**
 * @param {Situation} situation
 * @returns {{start: Start | undefined, isLost: boolean}}
 */
export function startOfStep({ text, stored, seen, unsaved, by, isWaitedFor }) {
  if (!seen) return { start: stored, isLost: false };
  const isSameEpoch = stored?.epoch === seen.epoch;
  if (unsaved) {
    const { base } = unsaved;
    const isKnown = !stored || text === unsaved.text
      || (isSameEpoch && (stored.by === by || (stored.version === base?.version && stored.by === base.by)));
    return isKnown ? { start: seen, isLost: false } : { start: stored, isLost: true };
  }
  if (isSameEpoch) return { start: stored.version >= seen.version ? stored : seen, isLost: false };
  return { start: stored, isLost: isWaitedFor };
}
