import { ShardlineError } from '../library/index.js';
import { placeOf } from './place.js';
import { richText, text } from './text.js';

/**
 * @typedef {import('./session.js').Settings} Settings
 * @typedef {import('./text.js').TextId} TextId
 */

const SAMPLE_RULE = 'match /counters/{id}/{rest=**} { allow read, write: if request.auth != null; }';

/** @type {{[code: string]: [title: TextId, advice?: TextId]}} What the library's message does not say already. */
const BY_CODE = {
  'invalid-argument': ['error.invalid-argument'],
  'permission-denied': ['error.permission-denied', 'advice.permission-denied'],
  unauthenticated: ['error.unauthenticated', 'advice.unauthenticated'],
  'not-found': ['error.not-found'],
  'already-exists': ['error.already-exists'],
  'failed-precondition': ['error.failed-precondition'],
  'resource-exhausted': ['error.resource-exhausted', 'advice.resource-exhausted'],
  aborted: ['error.aborted', 'advice.aborted'],
  unavailable: ['error.unavailable'],
  'deadline-exceeded': ['error.unavailable'],
  'outcome-unknown': ['error.outcome-unknown', 'advice.outcome-unknown'],
  unimplemented: ['error.unimplemented'],
};

/**
 * An error in words that help: what happened, in the library's words what is wrong, and what to do.
 * @param {unknown} error
 * @param {Settings | null} settings Of the connection that it happened on; null if there was none yet.
 * @returns {{title: string, detail: string, advice: (string | Node)[]}}
 */
export function explain(error, settings) {
  if (!(error instanceof ShardlineError)) {
    return { title: text('error.other'), detail: String(error), advice: [text('advice.other')] };
  }
  if (!settings && error.code === 'unavailable') return { title: text('error.start'), detail: error.message, advice: [] };
  const [title, advice] = BY_CODE[error.code] ?? ['error.other'];
  const values = { host: settings?.host || placeOf(settings), rule: SAMPLE_RULE };
  const advices = [];
  if (settings && isWithoutAnswer(error)) advices.push(richText(`advice.no-answer.${settings.kind}`, values), ' ');
  if (advice) advices.push(richText(advice, values));
  return { title: text(title, values), detail: error.message, advice: advices };
}

/** @param {ShardlineError} error */
function isWithoutAnswer({ code, status }) {
  return status === 0 && ['unavailable', 'deadline-exceeded', 'outcome-unknown'].includes(code);
}

/**
 * Whether an error only says that the user has gone on to something else.
 * @param {unknown} error
 */
export function isCancelled(error) {
  return error instanceof ShardlineError && error.code === 'cancelled';
}
