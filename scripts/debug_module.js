// Takes the module for debuggers into the package, with a source map that has the project's sources in it, and no folders of this machine.
//
//   node scripts/debug_module.js build/wasm-debug/wasm web/library/generated

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const [from = '', to = ''] = process.argv.slice(2);

/** What is not the project's is emcc's, wherever that is: only what lies inside a folder of headers or sources is kept of its name. */
const OF_EMSCRIPTEN = /^.*?\b(include|system)\//;

for (const name of ['debug.js', 'debug.wasm']) copyFileSync(join(from, name), join(to, name));
const map = JSON.parse(readFileSync(join(from, 'debug.wasm.map'), 'utf8'));
const contents = map.sources.map((/** @type {string} */ source) => {
  const path = resolve(from, source);
  const own = relative(ROOT, path);
  const isOwn = /^(src|wasm)\//.test(own) && existsSync(path);
  return { name: isOwn ? `shardline/${own}` : `emscripten/${source.replace(OF_EMSCRIPTEN, '$1/')}`, text: isOwn ? readFileSync(path, 'utf8') : null };
});
const sources = contents.map(({ name }) => name);
const stray = sources.find((name) => name.includes('..') || name.includes('//'));
if (stray) throw new Error(`${stray}: the source map would name a folder of this machine.`);
writeFileSync(join(to, 'debug.wasm.map'), JSON.stringify({ ...map, sources, sourcesContent: contents.map(({ text }) => text) }));
