// Opens a database that shows a first total with the module inside the JavaScript, and fetches the rest when the page has time (lazy loading).

import { Early } from './early.js';
import { ShardlineError } from './errors.js';
import { LightConnection } from './light_connection.js';
import { loadListening } from './load_listening.js';
import { startReader } from './reader.js';

/**
 * @typedef {import('./counter_options.js').TakenOptions} TakenOptions
 * @typedef {{openPress: (taken: TakenOptions, early?: Early) => Promise<import('./early.js').Opened>}} PressFile
 */

/** @type {ReturnType<typeof startReader> | undefined} One serves all connections. */
let reader;

/**
 * @param {TakenOptions} taken
 * @param {() => Promise<PressFile>} fetchPress
 */
export async function openLight(taken, fetchPress) {
  const { checked: { wasm, name }, storage, retry, users, onWarning } = taken;
  const load = async (/** @type {Early} */ early) => (await fetchAgain(fetchPress)).openPress(taken, early);
  // A service worker can import nothing later.
  const isOrdinary = !('ServiceWorkerGlobalScope' in globalThis) && wasm === undefined && retry === undefined && [undefined, 'indexeddb', 'memory'].includes(/** @type {any} */ (storage));
  // If the reader does not start, the core may: if it does not start either, its error says why.
  const read = isOrdinary && await (reader ??= startReader()).catch(() => undefined);
  // As openStorage() decides.
  const storeName = storage === 'memory' || !('indexedDB' in globalThis) ? undefined : name;
  const early = read && new Early({ users, onWarning, storeName, load });
  const opened = early ? { connection: new LightConnection(read, taken.checked, early), outbox: early } : await (await fetchAgain(fetchPress)).openPress(taken);
  opened.connection.loadListening = loadListening;
  return opened;
}

/** @param {() => Promise<PressFile>} fetchPress */
async function fetchAgain(fetchPress) {
  try {
    return await fetchPress();
  } catch (cause) {
    throw new ShardlineError('unavailable', 'The part of the library that counts could not be loaded. Call again if the network was away. A service worker cannot '
      + 'load it: import from shardline/static there.', { reason: 'module-not-loaded', params: { file: 'counters_press.js' }, cause });
  }
}
