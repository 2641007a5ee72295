// What a visitor downloads for three jobs: increment a random shard, sum the total, run a sharded query and merge its answers.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { atMost, digits, printTable } from './report.js';

const BUDGET = 31 * 1024;
const HERE = fileURLToPath(new URL('./', import.meta.url));
const LIBRARY = fileURLToPath(new URL('../../web/library/', import.meta.url));

/**
 * @typedef {object} Size
 * @property {number} raw
 * @property {number} gzip
 * @property {number} brotli
 */

/** @returns {Promise<import('./report.js').Report>} */
export async function benchSize() {
  const jobs = (client) => `export { open, increment, total, query } from './clients/${client}.js';`;
  const ours = await bundle(jobs('shardline'));
  const whole = await bundle(`export * from '${LIBRARY}index.js';`);
  const wasm = readFileSync(`${LIBRARY}generated/shardline.wasm`);
  const lite = await bundle(jobs('lite'));
  const full = await bundle(jobs('lite'), { 'firebase/firestore/lite': 'firebase/firestore' });

  const results = {
    'shardline: JavaScript': sizes(ours),
    'shardline: WebAssembly': sizes(wasm),
    shardline: sizes(ours, wasm),
    'shardline, every export': sizes(whole, wasm),
    'firebase/firestore/lite': sizes(lite),
    'firebase/firestore': sizes(full),
  };
  const reference = results.shardline;
  printTable('download for the same three jobs, bundled and minified by esbuild; bytes', ['', 'raw', 'gzip', 'brotli', 'brotli, shardline = 1'],
    Object.entries(results).map(([name, { raw, gzip, brotli }]) =>
      [name, digits(raw), digits(gzip), digits(brotli), (brotli / reference.brotli).toFixed(2)]));
  const targets = [
    atMost('size, every export, brotli', results['shardline, every export'].brotli, BUDGET, ' bytes'),
    atMost('size against firebase/firestore/lite, brotli', reference.brotli, results['firebase/firestore/lite'].brotli, ' bytes'),
  ];
  return { results, targets };
}

/**
 * @param {string} contents Of the entry point.
 * @param {{[module: string]: string}} [alias]
 */
async function bundle(contents, alias) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: HERE, sourcefile: 'entry.js' },
    absWorkingDir: HERE, // Aliases are resolved from here.
    alias,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].contents;
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
