// Runs code of a reader against an embedded Firestore of its own, and notes its output and its bill. It runs on any thread. In the page the thread is a
// worker that can reach nothing else: see code_worker.js.

import * as library from '../../library/index.js';
import { openWorkbench } from '../../library/workbench.js';
import { MOST_LINES } from './code_program.js';
import { readable, readableLine } from './readable.js';

/**
 * @typedef {import('./code_program.js').WireDocument} WireDocument
 * @typedef {'log' | 'warn' | 'error'} Kind
 * @typedef {{requests: number, reads: number, writes: number, deletes: number}} Bill Of all requests so far.
 * @typedef {string | number | bigint} Id
 *
 * @typedef {object} Listener
 * @property {(kind: Kind, line: string) => void} onLine For each output until there are MOST_LINES.
 * @property {() => void} onCut There is more output, which is left out.
 * @property {(bill: Bill) => void} onBill
 */

/** The most ids of a returned value that are judged. */
const MOST_IDS = 10_000;
const LONGEST_ID = 1500;
/** Firestore's own limit of writes in one commit. */
const MOST_WRITES = 500;
/** @type {Readonly<Bill>} */
const NOTHING = Object.freeze({ requests: 0, reads: 0, writes: 0, deletes: 0 });
const DOCUMENTS = 'projects/demo/databases/(default)/documents';
/** The limits of Firestore, near its clients: the reader waits for each answer. @type {{limits: 'documented', latencyMs: [number, number]}} */
const LIKE_FIRESTORE = { limits: 'documented', latencyMs: [2, 8] };

/**
 * A database in an embedded Firestore, with all that it may need later already loaded: code that runs in a worker has no network.
 * @param {(bill: Bill) => void} onBill
 */
export async function openTrial(onBill) {
  const { createEmbeddedFirestore } = await openWorkbench();
  const firestore = await createEmbeddedFirestore({ worker: false, seed: 1 });
  /** When the code began. */
  let before = NOTHING;
  let isFilled = false;
  const total = async () => {
    const { requests, billed: { reads, writes, deletes } } = await firestore.snapshot();
    return { requests, reads, writes, deletes };
  };
  /** By the server: the library does not learn the cost of a request whose answer got lost. */
  const tellBill = async () => {
    // The code may have closed it.
    const now = await total().catch(() => null);
    if (!now) return;
    // The code may have reset it, and with it the counts.
    const since = (/** @type {keyof Bill} */ name) => Math.max(0, now[name] - before[name]);
    onBill({ requests: since('requests'), reads: since('reads'), writes: since('writes'), deletes: since('deletes') });
  };
  const db = await library.connect({ projectId: 'demo', fetch: firestore.fetch, onRequest: () => {
    if (isFilled) tellBill();
  } });
  // This call is in the second module. The library loads the code that listens as late.
  await db.counter('trial/first').create();
  await import('../../library/listen/live_count.js');
  await firestore.reset();
  return {
    db,
    firestore,
    /** @param {WireDocument[]} documents */
    async fill(documents) {
      for (let first = 0; first < documents.length; first += MOST_WRITES) {
        const writes = documents.slice(first, first + MOST_WRITES).map(({ path, fields }) => ({ update: { name: `${DOCUMENTS}/${path}`, fields } }));
        await firestore.fetch(`http://embedded.invalid/v1/${DOCUMENTS}:commit`, {
          method: 'POST', headers: { authorization: 'Bearer owner' }, body: JSON.stringify({ writes }),
        });
      }
      await firestore.configure(LIKE_FIRESTORE);
      before = await total();
      isFilled = true;
      onBill(NOTHING);
    },
    tellBill,
    async close() {
      await db.close();
      await firestore.close();
    },
  };
}

/**
 * The names that the code can use besides those of JavaScript: all of the library, `db`, the Firestore behind it, and a console. connect() returns `db`.
 * @param {Pick<Awaited<ReturnType<typeof openTrial>>, 'db' | 'firestore'>} trial
 * @param {Pick<Listener, 'onLine' | 'onCut'>} listener
 */
export function namesFor({ db, firestore }, { onLine, onCut }) {
  let lines = 0;
  const print = (/** @type {Kind} */ kind) => (/** @type {unknown[]} */ ...values) => {
    lines += 1;
    if (lines <= MOST_LINES) onLine(kind, readableLine(values));
    else if (lines === MOST_LINES + 1) onCut();
  };
  const [log, warn, error] = [print('log'), print('warn'), print('error')];
  return { ...library, db, firestore, connect: async () => db, console: { log, info: log, debug: log, dir: log, table: log, warn, error } };
}

/**
 * @param {() => Promise<unknown>} code
 * @returns {Promise<{returned: Id[] | null} | {failure: {message: string, line: number | null}}>}
 */
export async function perform(code) {
  try {
    return { returned: idsIn(await code()) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** @param {unknown} error */
export function failureOf(error) {
  const message = readable(error);
  return { message: message.slice(0, 1000), line: lineOf(error) };
}

/**
 * The ids in a returned list of ids or documents, or page of a query.
 * @param {any} value
 * @returns {Id[] | null} Null if there is no list.
 */
export function idsIn(value) {
  const list = Array.isArray(value) ? value : value?.docs;
  if (!Array.isArray(list)) return null;
  return list.slice(0, MOST_IDS).map((each) => each?.id ?? each).filter(isId);
}

/** @param {unknown} id @returns {id is Id} Of a size that the library and Firestore give. */
function isId(id) {
  if (typeof id === 'string') return id.length <= LONGEST_ID;
  return typeof id === 'number' || (typeof id === 'bigint' && BigInt.asIntN(64, id) === id);
}

/**
 * The line of the reader's code in which an error was thrown, or in which the call that has failed was made. Only a program has such an address.
 * @param {any} error
 * @returns {number | null}
 */
function lineOf(error) {
  const [, line] = /blob:[^\s)]*?:(\d+):\d+/.exec(String(error?.stack ?? '')) ?? [];
  return line === undefined ? null : Number(line);
}
