import { ShardlineError } from '../library/errors.js';
import { placeOf } from './place.js';
import { hasText, isEnglish, richMessage, richText, text } from './text.js';

/**
 * @typedef {import('./session.js').Settings} Settings
 * @typedef {import('./text.js').TextId} TextId
 */

const SAMPLE_RULE = 'match /counters/{id}/{rest=**} { allow read, write: if request.auth != null; } '
  + 'match /shardline_markers/{id} { allow get, create: if request.auth != null; }';

/** @type {{[code: string]: [title: TextId, advice?: TextId]}} Titles and advice that the library's message does not give already. */
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
 * An error in helpful words: the event, the fault, and the remedy. `original` is the library's message, in English, if `detail` says it in the
 * reader's language.
 * @param {unknown} error
 * @param {Settings | null} settings The settings of its connection; null if there was no connection yet.
 * @returns {{title: string, detail: Node | string, advice: (string | Node)[], original?: Node}}
 */
export function explain(error, settings) {
  if (!(error instanceof ShardlineError)) {
    return { title: text('error.other'), detail: String(error), advice: [text('advice.other')] };
  }
  const said = inWords(error, richText);
  const original = richMessage(error.message);
  const what = said ? { detail: said, original } : { detail: original };
  if (!settings && error.code === 'unavailable') return { title: text('error.start'), ...what, advice: [] };
  const [title, advice] = BY_CODE[error.code] ?? ['error.other'];
  const values = { host: settings?.host || placeOf(settings), rule: SAMPLE_RULE };
  const advices = [];
  if (settings && isWithoutAnswer(error)) advices.push(richText(`advice.no-answer.${settings.kind}`, values), ' ');
  if (advice) advices.push(richText(advice, values));
  return { title: text(title, values), ...what, advice: advices };
}

/**
 * The error's sentence as a plain text; and the library's own sentence, if it is another one.
 * @param {ShardlineError} error
 * @returns {{message: string, original?: string}}
 */
export function inShort(error) {
  const message = inWords(error, text);
  return message === undefined ? { message: error.message } : { message, original: error.message };
}

/**
 * The error's reason in the reader's language. Undefined if the library's own message says it better: to readers of English, and where
 * the page has no words for it, or not the words to put into them.
 * @template T
 * @param {ShardlineError} error
 * @param {(id: TextId, values: import('./text.js').TextValues) => T} say
 * @returns {T | undefined}
 */
function inWords({ reason, params }, say) {
  const id = `reason.${reason}`;
  return !isEnglish() && hasText(id) && !Object.values(params).includes('') ? say(id, params) : undefined;
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
