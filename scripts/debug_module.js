// Takes the module for debuggers into the package, with its source map inside. The map has the project's sources in it, and no folders of
// this machine.
//
// Inside, because a bundler gives the .wasm another name and takes no map along, and because a module that a program compiles from bytes,
// as in Node, has no address that a map could be beside.
//
//   node scripts/debug_module.js build/wasm-debug/wasm web/library/generated

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { encodeNumber, numberAt } from './leb128.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const [from = '', to = ''] = process.argv.slice(2);

/** Files outside the project are emcc's. The map keeps only the part of their paths inside a folder of headers or sources. */
const OF_EMSCRIPTEN = /^.*?\b(include|system)\//;

copyFileSync(join(from, 'debug.js'), join(to, 'debug.js'));
const url = `data:application/json;base64,${Buffer.from(JSON.stringify(sourceMap())).toString('base64')}`;
writeFileSync(join(to, 'debug.wasm'), withSourceMap(readFileSync(join(from, 'debug.wasm')), url));

function sourceMap() {
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
  // The sources without text here are libc++'s and embind's: debuggers step over them.
  const ignoreList = contents.flatMap(({ text }, i) => (text === null ? [i] : []));
  return { ...map, sources, sourcesContent: contents.map(({ text }) => text), ignoreList };
}

/**
 * A module whose section `sourceMappingURL` says something else.
 * @param {Buffer} module
 * @param {string} address
 */
function withSourceMap(module, address) {
  const name = 'sourceMappingURL';
  const parts = [module.subarray(0, 8)]; // The magic number and the version.
  for (let at = 8; at < module.length;) {
    const { value: length, end: start } = numberAt(module, at + 1);
    const end = start + length;
    const section = module.subarray(start, end);
    const isOld = module[at] === 0 && section.subarray(1, 1 + name.length).equals(Buffer.from(name));
    if (!isOld) parts.push(module.subarray(at, end));
    at = end;
  }
  const section = Buffer.concat([text(name), text(address)]);
  return Buffer.concat([...parts, Buffer.from([0]), encodeNumber(section.length), section]);
}

/** @param {string} content */
function text(content) {
  return Buffer.concat([encodeNumber(content.length), Buffer.from(content)]);
}
