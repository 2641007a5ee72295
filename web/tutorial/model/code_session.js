// Runs a reader's code in a worker of its own, and ends the worker: when the code has ended, when it takes too long, and when the reader stops it.

import { trustOnce } from '../trust.js';
import { checkOf, lineWithin, MOST_SECONDS, onWire, programOf } from './code_program.js';
import runner from './code_worker.js?worker&url';

/**
 * @typedef {import('./code_run.js').Id} Id
 * @typedef {{message: string, line: number | null}} Failure
 *
 * @typedef {object} CodeEnd
 * @property {'done' | 'failed' | 'late' | 'stopped' | 'broken'} end `broken`: the worker could not begin.
 * @property {number} ms Of the code alone.
 * @property {Id[] | null} [returned] The ids in the returned value, if it is `done`.
 * @property {Failure} [failure] If it is `failed`, or is `broken` and the browser says why.
 *
 * @typedef {import('./code_run.js').Listener & {onRunning: () => void, onStray: (failure: Failure) => void}} SessionListener `onStray`: an error that
 *   does not end the code.
 */

/**
 * @param {string} code
 * @param {import('./code_program.js').GivenDocument[]} documents That are there when it begins.
 * @param {AbortSignal} signal Stops it.
 * @param {SessionListener} listener
 * @returns {Promise<CodeEnd>}
 */
export async function runInWorker(code, documents, signal, { onLine, onCut, onBill, onRunning, onStray }) {
  const program = programOf(new URL(runner, location.href).href, onWire(documents), code);
  let beganAt = Infinity;
  const msNow = () => Math.max(0, performance.now() - beganAt);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const outcome = await inWorker(program, { type: 'module', name: 'code' }, signal, (resolve) => ({
    onMessage: ({ kind, line, isCut, bill, stray, isRunning, end, broken }) => {
      if (kind) onLine(kind, line);
      if (isCut) onCut();
      if (bill) onBill(bill);
      if (stray) onStray(stray);
      if (isRunning) {
        beganAt = performance.now();
        // Loading does not count: a slow network is not the code's fault.
        timer = setTimeout(() => resolve({ end: 'late', ms: msNow() }), MOST_SECONDS * 1000);
        onRunning();
      }
      if (broken) resolve({ end: 'broken', ms: 0, failure: { message: broken, line: null } });
      if (end) resolve({ end: end.failure ? 'failed' : 'done', ms: msNow(), ...end });
    },
    onError: ({ message = '' }) => resolve({ end: 'broken', ms: msNow(), ...(message ? { failure: { message, line: null } } : {}) }),
    onStop: () => resolve({ end: 'stopped', ms: msNow() }),
  }));
  clearTimeout(timer);
  if (outcome.end !== 'broken' || signal.aborted) return outcome;
  const failure = await unreadable(code, signal);
  return failure ? { end: 'failed', ms: 0, failure } : outcome;
}

/**
 * @param {string} code
 * @param {AbortSignal} signal
 * @returns {Promise<Failure | null>} Null: browsers can read the code.
 */
function unreadable(code, signal) {
  return inWorker(checkOf(code), { name: 'check' }, signal, (resolve) => ({
    onMessage: () => {},
    onError: ({ message = '', lineno }) => {
      if (/SyntaxError/.test(message)) resolve({ message: message.replace(/^Uncaught /, ''), line: lineWithin(lineno, code) });
      // Firefox says no more. The error at the end of the program has a message.
      else resolve(message ? null : { message: 'SyntaxError', line: null });
    },
    onStop: () => resolve(null),
  }));
}

/**
 * @template Result
 * @param {string} program
 * @param {WorkerOptions} options
 * @param {AbortSignal} signal
 * @param {(resolve: (result: Result) => void) => {onMessage: (message: any) => void, onError: (event: ErrorEvent) => void, onStop: () => void}} listen
 * @returns {Promise<Result>} The worker has ended by then.
 */
async function inWorker(program, options, signal, listen) {
  const url = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
  trustOnce(url);
  /** @type {Worker | undefined} */
  let worker;
  try {
    return await new Promise((resolve) => {
      worker = new Worker(url, options);
      const { onMessage, onError, onStop } = listen(resolve);
      worker.onmessage = ({ data }) => onMessage(data);
      worker.onerror = (event) => {
        event.preventDefault();
        onError(event);
      };
      signal.addEventListener('abort', onStop, { once: true });
    });
  } finally {
    worker?.terminate();
    URL.revokeObjectURL(url);
  }
}
