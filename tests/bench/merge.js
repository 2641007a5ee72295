// The time that merging costs the client: the public API against the documented sample, both over a fetch that has all answers ready.

import assert from 'node:assert/strict';

import { connect } from 'shardline';

import { repeated, takeTurns } from './measure.js';
import { FORMS, makeBodies } from './merge_bodies.js';
import { sampleQuery } from './merge_sample.js';
import { splitTime } from './merge_split.js';
import { atLeast, digits, printTable, spread } from './report.js';

const ANSWERS = [1, 3, 10, 30];
const LIMITS = [20, 300, 1000];
const TARGETS = { '30×300': 12, '10×300': 8, '3×300': 3, '1×300': 1.2 };
// Production indents what it sends, unless it is asked not to, as we do and the sample does not.
const MAIN_FORM = 'production';
const URL = 'https://firestore.googleapis.com/v1/projects/demo/databases/(default)/documents:runQuery';

/**
 * @param {{quick: boolean, cells?: string[]}} options `cells`: only these, such as 30x300, and only as production sends them to each side.
 * @returns {Promise<import('./report.js').Report>}
 */
export async function benchMerge({ quick, cells: chosen }) {
  const all = ANSWERS.flatMap((answers) => LIMITS.map((limit) => [answers, limit]));
  const wanted = all.filter((cell) => chosen?.includes(cell.join('x')) ?? true);
  assert(wanted.length >= (chosen?.length ?? 0), `The cells are ${all.map((cell) => cell.join('x')).join(', ')}.`);
  const results = [];
  const targets = [];
  for (const form of quick || chosen ? [MAIN_FORM] : [MAIN_FORM, ...Object.keys(FORMS)]) {
    const cells = [];
    for (const [answers, limit] of wanted) cells.push(await measureCell(answers, limit, form, quick));
    printCells(form, cells);
    results.push(...cells);
    if (form === MAIN_FORM) targets.push(...cells.filter(({ cell }) => cell in TARGETS).map(toTarget));
  }
  return { results, targets };
}

/**
 * @param {number} answers
 * @param {number} limit
 * @param {string} form
 * @param {boolean} quick
 */
async function measureCell(answers, limit, form, quick) {
  const bodies = bodiesOf(answers, limit, form);
  const ours = await openOurs(bodies, limit);
  const sample = openSample(bodies, limit);
  assert.deepEqual(comparable(await ours.run()), comparable(await sample.run()));

  const pace = quick ? { warmUpMs: 50, turnMs: 3 } : { warmUpMs: 400, turnMs: 20 };
  const contenders = [
    { name: 'ours', turn: await repeated(ours.run, pace) },
    { name: 'sample', turn: await repeated(sample.run, pace) },
  ];
  globalThis.gc?.();
  const effort = quick ? { minRounds: 3, maxRounds: 15, budgetMs: 150 } : { minRounds: 11, maxRounds: 101, budgetMs: 2000 };
  const { rounds, summaries } = await takeTurns(contenders, effort);
  const split = await splitTime(fakeFetch(bodies), ours.query, quick ? 5 : 50);
  await ours.close();
  const ratio = summaries.sample.ms.median / summaries.ours.ms.median;
  const cpuRatio = summaries.sample.cpu.median / summaries.ours.cpu.median;
  return { cell: `${answers}×${limit}`, answers, limit, form, rounds, ours: summaries.ours.ms, sample: summaries.sample.ms, ratio, cpuRatio, split };
}

/**
 * @param {Bodies} bodies
 * @param {number} limit
 */
async function openOurs(bodies, limit) {
  const db = await connect({ projectId: 'demo', fetch: fakeFetch(bodies) });
  const query = (database) => database
    .shardedCollection('instruments', { shards: bodies.asked.length * 30, shardField: 'shard', orderField: 'timestamp' })
    .where('price.currency', '==', 'USD').newestFirst().limit(limit).get({ chunkReads: 'whole-page' });
  return { query, run: async () => (await query(db)).docs, close: () => db.close() };
}

/**
 * @param {Bodies} bodies
 * @param {number} limit
 */
function openSample(bodies, limit) {
  const fetch = fakeFetch(bodies);
  return { run: () => sampleQuery(fetch, URL, bodies.asked.map((_, chunk) => JSON.stringify(sampleRequest(chunk, limit))), limit) };
}

/**
 * @param {number} chunk
 * @param {number} limit
 */
function sampleRequest(chunk, limit) {
  const values = Array.from({ length: 30 }, (_, i) => ({ stringValue: `${chunk * 30 + i}` }));
  const filters = [
    { fieldFilter: { field: { fieldPath: 'shard' }, op: 'IN', value: { arrayValue: { values } } } },
    { fieldFilter: { field: { fieldPath: 'price.currency' }, op: 'EQUAL', value: { stringValue: 'USD' } } },
  ];
  const orderBy = [{ field: { fieldPath: 'timestamp' }, direction: 'DESCENDING' }];
  return { structuredQuery: { from: [{ collectionId: 'instruments' }], where: { compositeFilter: { op: 'AND', filters } }, orderBy, limit } };
}

/**
 * The answers to who asks that they be not indented, and to who does not.
 * @typedef {{asked: Uint8Array[], unasked: Uint8Array[]}} Bodies
 */

/**
 * @param {number} answers
 * @param {number} limit
 * @param {string} form
 * @returns {Bodies}
 */
function bodiesOf(answers, limit, form) {
  if (form === MAIN_FORM) return { asked: makeBodies(answers, limit, 'compact'), unasked: makeBodies(answers, limit, 'indented') };
  const bodies = makeBodies(answers, limit, form);
  return { asked: bodies, unasked: bodies };
}

/**
 * As light as can be: the bodies in turn, as bytes, as they come from the network.
 * @param {Bodies} bodies
 * @returns {typeof globalThis.fetch}
 */
function fakeFetch({ asked, unasked }) {
  const decoder = new TextDecoder();
  const headers = new Headers({ 'content-type': 'application/json; charset=UTF-8' });
  let next = 0;
  return async (url) => {
    const body = (/[?&]prettyPrint=false/.test(`${url}`) ? asked : unasked)[next];
    next = (next + 1) % asked.length;
    return /** @type {Response} */ ({
      ok: true,
      status: 200,
      headers,
      arrayBuffer: async () => body.buffer,
      json: async () => JSON.parse(decoder.decode(body)),
    });
  };
}

/** The same JSON for both sides, without the names of their classes. */
function comparable(docs) {
  return JSON.parse(JSON.stringify(docs));
}

function toTarget({ cell, ratio }) {
  return atLeast(`merge ${cell}, times as fast as the sample`, ratio, TARGETS[cell]);
}

function printCells(form, cells) {
  const { asked, unasked } = bodiesOf(1, 300, form);
  const sizes = [...new Set([asked, unasked].map(([body]) => Math.round(body.length / 300)))].join(' and ');
  printTable(
    `merge, ${form === MAIN_FORM ? 'JSON as production sends it to each side' : `${form} JSON`}, ${sizes} bytes a document; ms, median (min–max)`,
    ['answers×documents', 'ours', 'sample', 'ratio', 'CPU ratio', 'rounds', 'ours: copy in', 'merge', 'JSON.parse', 'rest', 'µs/doc'],
    cells.map(({ cell, limit, ours, sample, ratio, cpuRatio, rounds, split }) => [
      cell, spread(ours), spread(sample), `${digits(ratio)}×`, `${digits(cpuRatio)}×`, `${rounds}`,
      ...[split.copyIn, split.core, split.parse, split.rest].map((ms) => digits(ms)), digits((1000 * ours.median) / limit),
    ]),
  );
}
