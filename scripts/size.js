// Prints what a visitor downloads, file by file: raw, gzip and brotli, and how much of the budget it takes.
// The library's JavaScript is counted minified, as any production build of a page ships it. With --strict it fails when the
// budget is exceeded.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** To reach: what firebase/firestore/lite, the Firebase SDK's REST-only build, takes for the same jobs (31 KB brotli). */
const TARGET = 31 * 1024;

/** Not to exceed, until the target is reached: what it takes now, and a little. Lower it with every step down. */
const CEILING = 80.5 * 1024;

const root = fileURLToPath(new URL('../', import.meta.url));
const library = root + 'web/library/';

/** @param {Uint8Array} bytes */
function sizes(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, { params }).length,
  };
}

/**
 * With all that it imports in one minified file, but for what is generated, which is counted by itself.
 * @param {string} file
 */
async function bundled(file) {
  const { build } = createRequire(root + 'tests/package.json')('esbuild');
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['./generated/*'],
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].contents;
}

const generated = library + 'generated/';
/** @type {[string, Uint8Array][]} */
const files = readdirSync(generated)
  .filter((name) => /^shardline\.(js|wasm)$/.test(name))
  .map((name) => [name, readFileSync(generated + name)]);
if (existsSync(library + 'index.js')) {
  files.push(['library (minified)', await bundled(library + 'index.js')]);
  files.push(['idb (minified)', await bundled(generated + 'idb.js')]); // Loaded when the first counter is used.
}

const total = { raw: 0, gzip: 0, brotli: 0 };
const row = (name, { raw, gzip, brotli }) =>
  console.log(name.padEnd(20) + [raw, gzip, brotli].map((n) => n.toLocaleString('en').padStart(10)).join(''));

console.log('\n' + 'download (bytes)'.padEnd(20) + ['raw', 'gzip', 'brotli'].map((s) => s.padStart(10)).join(''));
for (const [name, bytes] of files) {
  const size = sizes(bytes);
  row(name, size);
  for (const key of Object.keys(total)) total[key] += size[key];
}
row('total', total);
console.log(`${((100 * total.brotli) / TARGET).toFixed(1)} % of the ${TARGET.toLocaleString('en')} byte target\n`);
if (total.brotli > CEILING) {
  console.error(`The download is larger than the ${CEILING.toLocaleString('en')} bytes that it may take for now.`);
  if (process.argv.includes('--strict')) process.exitCode = 1;
}
