// Prints the sizes of the parts of a WebAssembly module that was linked with names (--profiling-funcs): its sections, its source files, its largest
// functions. An inlined function counts for the one that it was inlined into.
//
//   node scripts/size_functions.js <module.wasm> <folder of its object files> [how many functions]

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { numberAt } from './leb128.js';

const [module, objects, howMany = '40'] = process.argv.slice(2);
const bytes = readFileSync(module);
let at = 8; // after the magic number and the version

function read() {
  const { value, end } = numberAt(bytes, at);
  at = end;
  return value;
}
function readName() {
  const length = read();
  at += length;
  return bytes.toString('utf8', at - length, at);
}

/** Skips the bytes behind the two names of an import; their number depends on its kind. @returns whether it is a function */
function skipImport() {
  const kind = bytes[at++];
  if (kind === 1) at += 1; // a table's element type
  if (kind === 0) read();
  else if (kind === 3) at += 2;
  else if (bytes[at++] & 1) [read(), read()];
  else read();
  return kind === 0;
}

let imports = 0;
/** @type {number[]} body sizes */
const sizes = [];
/** @type {Map<number, string>} */
const names = new Map();
const sections = new Map();

while (at < bytes.length) {
  const id = bytes[at++];
  const end = read() + at;
  let label = { 1: 'types', 2: 'imports', 3: 'functions', 7: 'exports', 9: 'elements', 10: 'code', 11: 'data' }[id] ?? `section ${id}`;
  const size = end - at;
  if (id === 2) {
    for (let left = read(); left > 0; left -= 1) {
      readName();
      readName();
      if (skipImport()) imports += 1;
    }
  } else if (id === 10) {
    for (let left = read(); left > 0; left -= 1) {
      const length = read();
      sizes.push(length);
      at += length;
    }
  } else if (id === 0) {
    label = readName();
    while (label === 'name' && at < end) {
      const kind = bytes[at++];
      const next = read() + at;
      if (kind === 1) {
        for (let left = read(); left > 0; left -= 1) names.set(read(), readName());
      }
      at = next;
    }
  }
  sections.set(label, (sections.get(label) ?? 0) + size);
  at = end;
}

const functions = sizes
  .map((size, index) => ({ size, name: names.get(index + imports) ?? `function ${index + imports}` }))
  .sort((a, b) => b.size - a.size);

for (const [label, size] of sections) {
  if (label !== 'name') row(size, label);
}
const bySource = sizesBySource();
console.log('\nby room:');
for (const [room, size] of sumBy(bySource, (source) => source.split('/')[0])) row(size, room);
console.log('\nby file:');
for (const [source, size] of bySource) row(size, source);
console.log(`\n${functions.length} functions; the largest:`);
for (const { size, name } of functions.slice(0, Number(howMany))) row(size, name.slice(0, 150));

/** @param {number} size @param {string} label */
function row(size, label) {
  console.log(String(size).padStart(8), label);
}

/** Which file each function was compiled from, by the symbols of the object files. */
function sizesBySource() {
  const files = readdirSync(objects, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.o'));
  const listing = execFileSync('emnm', ['--demangle', '--print-file-name', ...files.map((name) => join(objects, name))], {
    maxBuffer: 1 << 28,
  }).toString();
  /** @type {Map<string, string>} */
  const sources = new Map();
  for (const [, file, name] of listing.matchAll(/^(.*\.o): +\S+ [TtWw] (.*)$/gm)) {
    const source = file.replace(/^.*\.dir\//, '').replace(/\.o$/, '');
    sources.set(name, sources.has(name) && sources.get(name) !== source ? 'in several files (templates, inline)' : source);
  }
  return sumBy(functions.map(({ name, size }) => [name, size]), (name) => sources.get(name) ?? 'C and C++ library');
}

/** @param {Iterable<[string, number]>} entries @param {(key: string) => string} group @returns sums, the largest first */
function sumBy(entries, group) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const [key, size] of entries) sums.set(group(key), (sums.get(group(key)) ?? 0) + size);
  return [...sums].sort(([, a], [, b]) => b - a);
}
