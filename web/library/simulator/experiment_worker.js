// The worker in which one experiment runs.

import createModule from '../generated/workbench.js';
import { ShardlineError } from '../errors.js';
import { runHere } from './experiment.js';

self.onmessage = async ({ data: { wasm, options, tellsProgress } }) => {
  try {
    const module = await createModule({ wasm });
    const onProgress = tellsProgress ? (/** @type {object} */ progress) => self.postMessage({ progress }) : undefined;
    const report = await runHere(module, options, { onProgress });
    const { requests = {}, works = {} } = report.recording ?? {};
    self.postMessage({ report }, { transfer: [...Object.values(requests), ...Object.values(works)].map(({ buffer }) => buffer) });
  } catch (error) {
    const { code, message } = error instanceof ShardlineError ? error : new ShardlineError('internal', String(error));
    self.postMessage({ error: { code, message } });
  }
};
