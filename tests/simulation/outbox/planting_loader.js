// Hooks of Node's module loader: one module has another source than its file. See planted_faults.js.

/** @type {{url: string, source: string}} */
let planted;

/** @param {typeof planted} data */
export function initialize(data) {
  planted = data;
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  return url === planted.url ? { format: 'module', source: planted.source, shortCircuit: true } : nextLoad(url, context);
}
