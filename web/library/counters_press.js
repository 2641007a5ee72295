// The core and the outbox: pages with counters fetch them after they have shown a total.

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
