// Loads the module of the operations that pages seldom run, for all entries; see src/api/tables.h.

import createModule from './generated/runtime.js';
import { loader, resolve } from './load.js';

/**
 * The `wasm` of connect({ wasm }): if that is the address of the first module, this one is beside it.
 * @param {import('./load.js').WasmOption} wasm
 * @param {string} file Its name.
 */
function find(wasm, file) {
  if (typeof wasm === 'function') return wasm(file);
  return typeof wasm === 'string' || wasm instanceof URL ? new URL(file, resolve(wasm)) : undefined;
}

export const loadAdmin = loader('admin.wasm', createModule, () => new URL('./generated/admin.wasm', import.meta.url), find);
