// The worker in which one experiment runs.

import createModule from '../generated/workbench.js';
import { toPlain } from '../errors.js';
import { runHere } from './experiment.js';

self.onmessage = async ({ data: { wasm, options, tellsProgress } }) => {
  try {
    const module = await createModule({ wasm });
    const onProgress = tellsProgress ? (/** @type {object} */ progress) => self.postMessage({ progress }) : undefined;
    const report = await runHere(module, options, { onProgress });
    const { requests = {}, works = {} } = report.recording ?? {};
    self.postMessage({ report }, { transfer: [...Object.values(requests), ...Object.values(works)].map(({ buffer }) => buffer) });
  } catch (error) {
    self.postMessage({ error: toPlain(error) });
  }
};
