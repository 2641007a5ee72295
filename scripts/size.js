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
const CEILING = 81 * 1024;

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

/** All of the library in one minified file, without the glue, which is counted by itself. */
async function bundledLibrary() {
  if (!existsSync(library + 'index.js')) return undefined;
  const { build } = createRequire(root + 'tests/package.json')('esbuild');
  const { outputFiles } = await build({
    entryPoints: [library + 'index.js'],
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
const bundled = await bundledLibrary();
if (bundled) files.push(['library (minified)', bundled]);

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
