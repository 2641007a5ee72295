// The size of a visitor's download for these jobs, all of them and by entry: increment a random shard, sum the total, run a sharded query and merge
// its answers.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { bundle } from './bundle.js';
import { atMost, digits, printTable } from './report.js';

const BUDGET = 31 * 1024;
const LIBRARY = fileURLToPath(new URL('../../web/library/', import.meta.url));

/**
 * @typedef {object} Size
 * @property {number} raw
 * @property {number} gzip
 * @property {number} brotli
 */

/** The exports of tests/bench/clients that each entry is for. */
const JOBS = {
  'shardline/counters': ['open', 'increment', 'total'],
  'shardline/collections': ['open', 'query'],
  shardline: ['open', 'increment', 'total', 'query'],
};

/** @type {{[entry: string]: [file: string, ...modules: string[]]}} The first module has what these jobs need. */
const FILES = {
  'shardline/counters': ['counters_only', 'counters', 'admin'],
  'shardline/collections': ['collections_only', 'collections'],
  shardline: ['index', 'shardline', 'admin'],
};

/** @returns {Promise<import('./report.js').Report>} */
export async function benchSize() {
  /** @type {{[what: string]: Size}} */
  const results = {};
  const rows = [];
  for (const [entry, jobs] of Object.entries(JOBS)) {
    const [file, ...modules] = FILES[entry];
    const [wasm, ...more] = modules.map((module) => readFileSync(`${LIBRARY}generated/${module}.wasm`));
    const job = (client) => `export { ${jobs.join(', ')} } from './clients/${client}.js';`;
    const ours = await bundle(job('shardline'), { shardline: entry });
    const whole = await bundle(`export * from '${LIBRARY}${file}.js';`);
    const suffix = entry === 'shardline' ? '' : `, ${jobs.slice(1).join(' and ')} only`;
    const measured = {
      [`${entry}: JavaScript`]: sizes(ours),
      [`${entry}: WebAssembly`]: sizes(wasm),
      [entry]: sizes(ours, wasm),
      [`${entry}, every export`]: sizes(whole, wasm, ...more),
      [`firebase/firestore/lite${suffix}`]: sizes(await bundle(job('lite'))),
      [`firebase/firestore${suffix}`]: sizes(await bundle(job('lite'), { 'firebase/firestore/lite': 'firebase/firestore' })),
    };
    for (const [name, { raw, gzip, brotli }] of Object.entries(measured)) {
      rows.push([name, digits(raw), digits(gzip), digits(brotli), (brotli / measured[entry].brotli).toFixed(2)]);
    }
    Object.assign(results, measured);
  }
  printTable('download for the same jobs, bundled and minified by esbuild; bytes', ['', 'raw', 'gzip', 'brotli', 'brotli, ours = 1'], rows);
  const targets = [
    atMost('size, every export, brotli', results['shardline, every export'].brotli, BUDGET, ' bytes'),
    atMost('size against firebase/firestore/lite, brotli', results.shardline.brotli, results['firebase/firestore/lite'].brotli, ' bytes'),
  ];
  return { results, targets };
}

/**
 * @param {...Uint8Array} files Each is compressed by itself, as each is a download of its own.
 * @returns {Size}
 */
function sizes(...files) {
  const total = { raw: 0, gzip: 0, brotli: 0 };
  for (const bytes of files) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    total.raw += bytes.length;
    total.gzip += gzipSync(bytes, { level: 9 }).length;
    total.brotli += brotliCompressSync(bytes, { params }).length;
  }
  return total;
}
