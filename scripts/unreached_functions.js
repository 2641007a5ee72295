/**
 * Prints the functions that no run has reached, from the export of llvm-cov, and how many there are.
 *
 *   node scripts/unreached_functions.js COVERAGE.json SOURCES/ [MOST]
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [file, sources, most] = process.argv.slice(2);
const { functions } = JSON.parse(readFileSync(file, 'utf8')).data[0];

// A program has its own count of an inline function, and each instance of a template has its own name: the place is the same.
const places = new Map();
for (const { name, count, filenames, regions } of functions) {
  if (!filenames[0].startsWith(sources)) continue;
  const [line] = regions[0];
  const path = filenames[0].slice(sources.length);
  const place = places.get(`${path}:${line}`) ?? { path, line, name, count: 0 };
  place.count += count;
  places.set(`${path}:${line}`, place);
}

const unreached = [...places.values()].filter(({ count }) => count === 0);
unreached.sort((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
// llvm-cov puts the file in front of the names of functions that only this file has.
const mangled = unreached.map(({ name }) => name.replace(/^.*:/, ''));
const names = execFileSync('c++filt', { input: `${mangled.join('\n')}\n`, encoding: 'utf8' }).split('\n');
unreached.forEach(({ path, line }, i) => console.log(`src/${path}:${line}  ${names[i]}`));
console.log(`${unreached.length} of ${places.size} functions of src are not reached`);
if (most && unreached.length > Number(most)) {
  console.log(`There may be ${most} at the most.`);
  process.exitCode = 1;
}
