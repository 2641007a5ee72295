// The worker in which one experiment runs.

import createModule from '../generated/workbench.js';
import { ShardlineError } from '../errors.js';
import { runHere } from './experiment.js';

self.onmessage = async ({ data: { wasm, options } }) => {
  try {
    const module = await createModule({ wasm });
    const report = await runHere(module, options, { onProgress: (progress) => self.postMessage({ progress }) });
    const { requests = {}, works = {} } = report.recording ?? {};
    self.postMessage({ report }, { transfer: [...Object.values(requests), ...Object.values(works)].map(({ buffer }) => buffer) });
  } catch (error) {
    const { code, message } = error instanceof ShardlineError ? error : new ShardlineError('internal', String(error));
    self.postMessage({ error: { code, message } });
  }
};
