// Loads the module that has everything. The entries `shardline` and `shardline/firebase` use it.

import createModule from './generated/runtime.js';
import { loader } from './load.js';
import { loadAdmin } from './load_admin.js';
import { openWith } from './open.js';

const load = loader('shardline.wasm', createModule, () => new URL('./generated/shardline.wasm', import.meta.url));

/**
 * @param {import('./everything.js').ConnectOptions} options
 * @param {import('./revive.js').Revivers} [revivers]
 */
export async function open(options, revivers) {
  return openWith(options, load, loadAdmin, revivers);
}
