// The worker in which an embedded Firestore runs: it performs the page's calls, and sends the results back.

import createModule from '../generated/workbench.js';
import { ModuleRunner } from '../load.js';
import { perform } from './calls.js';
import { openHost } from './shared_host.js';

/** @type {import('./host.js').Host | undefined} */
let host;

const opener = {
  /**
   * @param {WebAssembly.Module} wasm
   * @param {Record<string, unknown>} options
   */
  async open(wasm, options) {
    host = await openHost(await ModuleRunner.start(createModule, wasm), options);
  },
};

self.onmessage = async ({ data: { number, call } }) => {
  const outcome = await perform(host ?? opener, call);
  self.postMessage({ number, ...outcome });
};
