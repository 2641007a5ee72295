// What pages with counters fetch after they have shown a total: the core, and the outbox.

import createModule from './generated/runtime.js';
import { loader } from './load.js';
import { loadAdmin } from './load_admin.js';
import { openOutbox } from './open_counters.js';

const load = loader('counters.wasm', createModule, () => new URL('./generated/counters.wasm', import.meta.url));

/**
 * @param {import('./counter_options.js').TakenOptions} taken
 * @param {import('./early.js').Early} [early]
 */
export function openPress(taken, early) {
  return openOutbox(taken, load, loadAdmin, early && { early });
}
