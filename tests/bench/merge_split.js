// Where our time goes: the same query once more, with a clock around the calls of the library. The clock itself takes time, so only the proportions
// of these numbers count; the benchmark's own numbers are taken without it.

import createModule from '../../web/library/generated/runtime.js';
import { readFile } from 'node:fs/promises';

import { Connection } from '../../web/library/connection.js';
import { Database } from '../../web/library/index.js';
import { Outbox } from '../../web/library/outbox/outbox.js';
import { memoryStorage } from '../../web/library/storage/storage.js';
import { Users } from '../../web/library/users.js';

/**
 * @typedef {object} Split Milliseconds of one query, medians.
 * @property {number} copyIn Bodies into the module's memory.
 * @property {number} core All calls into the module: above all the merge, and writing the winners.
 * @property {number} parse JSON.parse of the winners.
 * @property {number} rest Reviving, promises, requests.
 */

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {(database: Database) => Promise<unknown>} query
 * @param {number} runs
 * @returns {Promise<Split>}
 */
export async function splitTime(fetch, query, runs) {
  const clock = { copyIn: 0, core: 0, parse: 0 };
  const connection = new Connection({ module: timed(await startModule(), clock), isRunning: () => true },
    { projectId: 'demo', databaseId: '(default)', retry: {} },
    { host: 'https://firestore.googleapis.com', fetch });
  const outbox = new Outbox(connection, memoryStorage(), 'bench', { users: new Users(undefined, undefined), retry: {} });
  const database = new Database(connection, outbox, 'projects/demo/databases/(default)/documents/');
  for (let i = 0; i < runs; i += 1) await query(database);

  const bytes = Object.getPrototypeOf(Uint8Array.prototype);
  const restore = [[bytes, 'set', 'copyIn'], [JSON, 'parse', 'parse']].map(([owner, name, part]) => {
    const original = owner[name];
    owner[name] = around(original, clock, part);
    return () => {
      owner[name] = original;
    };
  });
  try {
    const samples = [];
    for (let i = 0; i < runs; i += 1) {
      Object.assign(clock, { copyIn: 0, core: 0, parse: 0 });
      const begin = performance.now();
      await query(database);
      const all = performance.now() - begin;
      samples.push({ ...clock, rest: all - clock.copyIn - clock.core - clock.parse });
    }
    const middle = (part) => samples.map((sample) => sample[part]).sort((a, b) => a - b)[runs >> 1];
    return { copyIn: middle('copyIn'), core: middle('core'), parse: middle('parse'), rest: middle('rest') };
  } finally {
    for (const undo of restore) undo();
    await database.close();
  }
}

async function startModule() {
  return createModule({ wasm: await WebAssembly.compile(await readFile(new URL('../../web/library/generated/shardline.wasm', import.meta.url))) });
}

/** The module with a clock around every function. */
function timed(module, clock) {
  const wrapped = { get HEAPU8() { return module.HEAPU8; } };
  for (const name of Object.keys(module)) {
    if (typeof module[name] === 'function') wrapped[name] = around((...args) => module[name](...args), clock, 'core');
  }
  return wrapped;
}

function around(original, clock, part) {
  return function timedCall(...args) {
    const begin = performance.now();
    try {
      return original.apply(this, args);
    } finally {
      clock[part] += performance.now() - begin;
    }
  };
}
