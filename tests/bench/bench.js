// node --expose-gc tests/bench/bench.js [suite…] [--quick] [--cells LIST] [--json FILE]; see scripts/bench.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { benchCollections } from './collections.js';
import { benchCounting } from './counting.js';
import { benchEmulator } from './emulator.js';
import { benchFirstTotal } from './first_total.js';
import { benchLive } from './live.js';
import { benchMerge } from './merge.js';
import { benchPress } from './press.js';
import { printTargets } from './report.js';
import { benchSimulator } from './simulator.js';
import { benchSize } from './size.js';
import { benchStart } from './start.js';

const SUITES = {
  merge: benchMerge, size: benchSize, emulator: benchEmulator, collections: benchCollections, counting: benchCounting, start: benchStart,
  first: benchFirstTotal, press: benchPress, live: benchLive, simulator: benchSimulator,
};
const FOLDER = fileURLToPath(new URL('../../build/bench/', import.meta.url));

const { values: options, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, cells: { type: 'string' }, json: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in SUITES));
if (unknown.length) {
  console.error(`No such benchmark: ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}.`);
  process.exit(2);
}

const about = { date: new Date().toISOString(), node: process.version, cpu: `${cpus().length} × ${cpus()[0]?.model}`, quick: options.quick };
const all = { ...about, suites: {}, targets: [] };
mkdirSync(FOLDER, { recursive: true });
for (const name of positionals.length ? positionals : Object.keys(SUITES)) {
  const load = loadavg()[0];
  const { results, targets } = await SUITES[name]({ quick: options.quick, cells: options.cells?.split(',') });
  const suite = { load: [load, loadavg()[0]], results, targets };
  all.suites[name] = suite;
  all.targets.push(...targets);
  writeFileSync(`${FOLDER}${name}.json`, `${JSON.stringify({ ...about, ...suite }, null, 2)}\n`);
}
printTargets(all.targets);
if (options.quick) console.log('\nA quick look: few rounds, so the numbers are rough.');
if (options.json) writeFileSync(options.json, `${JSON.stringify(all, null, 2)}\n`);
