// Prints the size of a visitor's download, for each of the package's entries file by file: raw, gzip and brotli, and the part of the budget that it
// takes. The library's JavaScript is counted minified: each production build of a page minifies it. With --strict it fails when the budget is
// exceeded.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** To reach: what firebase/firestore/lite, the Firebase SDK's REST-only build, takes for the same jobs (31 KB brotli). */
const TARGET = 31 * 1024;

/**
 * What is imported; the module that is downloaded with it, and the one that follows when something in it is called first; and the
 * bytes (brotli) not to exceed, until the target is reached: what it takes now, and a little. Lower them with every step down.
 * The target is for the last, and for what every page downloads.
 */
const ENTRIES = [
  { entry: 'counters_static', first: 'counters', second: 'admin', ceilings: { first: 71_140, total: 152_500 } },
  { entry: 'collections_only', first: 'collections', second: 'admin', ceilings: { first: 78_240, total: 159_600 } },
  { entry: 'index', first: 'shardline', second: 'admin', ceilings: { first: 123_780, total: 205_140 } },
];

/**
 * The entries that come in moments: `read` shows a first total, `press` counts, `admin` follows when it is called. The ceilings are for all
 * that has been downloaded by then.
 */
const MOMENTS = [
  { entry: 'counters_only', ceilings: { read: 29_650, press: 87_260, admin: 168_620 } },
  { entry: 'firebase_counters', ceilings: { read: 30_580, press: 88_190, admin: 169_550 } },
];

/** A page downloads this much JavaScript more when it begins to listen. */
const LISTENING_CEILING = 8_220;

/** The further download of a page with <shard-counter>: JavaScript alone. */
const ELEMENT_CEILING = 7_450;

/** The same with <shard-rating> and <shard-stock>. */
const ELEMENTS_CEILING = 9_470;

/** The entry that is one file. A bundler puts the code that listens into a file of its own, unless an option makes one file of all. */
const INLINE_CEILING = 184_810;

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
 * With all that it imports in one minified file.
 * @param {string} file
 * @param {string[]} external Files to leave out: generated files are counted by themselves.
 */
async function bundled(file, external = ['./generated/*', './listen/*']) {
  const { build } = createRequire(root + 'tests/package.json')('esbuild');
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external,
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].contents;
}

/**
 * The minified files that a bundler makes of an entry: those that the page begins with, and those that it imports later.
 * @param {string} file
 * @param {string[]} [external] Counted by itself.
 */
async function split(file, external = ['./listen/*']) {
  const { build } = createRequire(root + 'tests/package.json')('esbuild');
  const { outputFiles, metafile } = await build({
    entryPoints: [file],
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    // Their characters are bytes, some of them beyond ASCII.
    charset: 'utf8',
    external: ['./generated/runtime.js', ...external],
    outdir: root + 'build/size',
    write: false,
    logLevel: 'error',
  });
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output], i) => [path, { ...output, contents: outputFiles[i].contents }]));
  /** @type {Set<string>} */
  const first = new Set();
  const visit = (/** @type {string} */ path) => {
    if (first.has(path) || !outputs.has(path)) return;
    first.add(path);
    for (const { path: next, kind } of outputs.get(path).imports) if (kind === 'import-statement') visit(next);
  };
  visit([...outputs.keys()].find((path) => outputs.get(path).entryPoint?.endsWith(file.slice(root.length))) ?? '');
  return {
    read: [...first].map((path) => outputs.get(path).contents),
    press: [...outputs].filter(([path]) => !first.has(path)).map(([, { contents }]) => contents),
  };
}

const generated = library + 'generated/';

const row = (name, { raw, gzip, brotli }) =>
  console.log(name.padEnd(26) + [raw, gzip, brotli].map((n) => n.toLocaleString('en').padStart(10)).join(''));

/**
 * Prints the files of an entry, and returns the bytes (brotli) of the first download and of all.
 * @param {{entry: string, first: string, second?: string}} entry
 */
async function measure({ entry, first, second }) {
  const total = { raw: 0, gzip: 0, brotli: 0 };
  /** @param {string} name @param {Uint8Array} bytes */
  const count = (name, bytes) => {
    const size = sizes(bytes);
    row(name, size);
    for (const key of Object.keys(total)) total[key] += size[key];
  };
  const module = (/** @type {string} */ file) => count(file, readFileSync(generated + file));

  console.log('\n' + `${entry}.js (bytes)`.padEnd(26) + ['raw', 'gzip', 'brotli'].map((s) => s.padStart(10)).join(''));
  module('runtime.js');
  module(`${first}.wasm`);
  count(`${entry}.js (minified)`, await bundled(`${library}${entry}.js`));
  row('first download', total);
  const firstDownload = total.brotli;
  if (second) {
    module(`${second}.wasm`);
    row('total', total);
  }
  return { first: firstDownload, total: total.brotli };
}

/**
 * Prints the bytes that each moment adds, and all bytes that have been downloaded by then.
 * @param {typeof MOMENTS[number]} entry
 */
async function measureMoments({ entry, ceilings }) {
  const files = await split(`${library}${entry}.js`);
  const module = (/** @type {string} */ file) => readFileSync(generated + file);
  /** @type {[moment: keyof typeof ceilings, page: string, files: Uint8Array[]][]} */
  const moments = [
    ['read', 'a page that shows', files.read],
    ['press', 'a page that likes', [...files.press, module('runtime.js'), module('counters.wasm')]],
    ['admin', 'a page that administrates', [module('admin.wasm')]],
  ];
  const total = { raw: 0, gzip: 0, brotli: 0 };
  console.log('\n' + `${entry}.js (bytes)`.padEnd(26) + ['raw', 'gzip', 'brotli'].map((s) => s.padStart(10)).join(''));
  for (const [moment, page, contents] of moments) {
    const all = contents.map(sizes);
    for (const key of Object.keys(total)) for (const size of all) total[key] += size[key];
    const count = contents.length === 1 ? '1 file' : `${contents.length} files`;
    row(`${moment}: ${count}`, Object.fromEntries(Object.keys(total).map((key) => [key, all.reduce((sum, size) => sum + size[key], 0)])));
    row(page, total);
    compare(`What ${page} with ${entry}.js downloads`, total.brotli, ceilings[moment]);
  }
}

/** @param {string} name @param {number} bytes @param {number} ceiling */
function compare(name, bytes, ceiling) {
  if (bytes <= ceiling) return;
  console.error(`${name} is larger than the ${ceiling.toLocaleString('en')} bytes that it may take for now.`);
  if (process.argv.includes('--strict')) process.exitCode = 1;
}

for (const entry of MOMENTS) await measureMoments(entry);
let everything = 0;
for (const { ceilings, ...entry } of ENTRIES) {
  const taken = await measure(entry);
  everything = taken.first;
  for (const [what, ceiling] of Object.entries(ceilings)) {
    compare(`The ${what === 'first' ? 'first' : 'whole'} download of ${entry.entry}.js`, taken[what], ceiling);
  }
}
const listening = sizes(Buffer.concat((await split(`${library}index.js`, [])).press));
console.log('');
row('listening (minified)', listening);
compare('What a page that listens downloads', listening.brotli, LISTENING_CEILING);
const element = sizes(await bundled(`${library}element.js`));
row('element.js (minified)', element);
compare('element.js', element.brotli, ELEMENT_CEILING);
const elements = sizes(await bundled(`${library}elements.js`));
row('elements.js (minified)', elements);
compare('elements.js', elements.brotli, ELEMENTS_CEILING);
const inline = sizes(await bundled(`${library}inline.js`, ['./listen/*']));
row('inline.js (minified)', inline);
compare('inline.js', inline.brotli, INLINE_CEILING);
console.log(`${((100 * everything) / TARGET).toFixed(1)} % of the ${TARGET.toLocaleString('en')} byte target\n`);
