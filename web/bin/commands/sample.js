// Judges by a few hundred documents whether the values of fields rise from one document to the next.

import { Bytes, Timestamp } from '../../library/index.js';
import { columns } from '../terminal.js';
import { keepKnown } from './known_fields.js';

/**
 * @typedef {import('../context.js').Context} Context
 * @typedef {import('../../library/index.js').DocumentSnapshot} Document
 * @typedef {'rises' | 'falls' | 'does not follow' | 'too few'} Verdict
 * @typedef {{field: string, verdict: Verdict, documents: number, inOrder: number | null}} Answer `documents` have the field; `inOrder` is the
 *   share of their pairs whose values are in the order of their createTime.
 */

/** Fewer moments, or fewer values, say nothing about an order. */
const FEWEST = 8;
/** The share of pairs that are in order if a field follows: some documents may be late. */
const FOLLOWS = 0.95;

/** @param {Context} context */
export function sample(context) {
  const { values: { collection, documents, known }, signal, terminal } = context;
  return context.withDatabase(async (db) => {
    const { docs, billed } = await db.collection(collection).limit(documents).get({ signal });
    const id = collection.slice(collection.lastIndexOf('/') + 1);
    if (docs.length === 0) throw new Error(`No document is in ${collection}. Give the whole path of a collection that is below documents: rooms/room1/${id}.`);
    const fields = verdicts(docs);
    if (known) await keepKnown(known, id, fields.filter(({ verdict }) => verdict !== 'too few').map(({ field, verdict }) => ({ field, rises: verdict !== 'does not follow' })));
    context.answer({ collection: id, documents: docs.length, reads: billed.reads, fields }, columns([
      ['field', 'values', 'in the order of createTime', ''],
      ...fields.map(({ field, verdict, documents: number, inOrder }) => [field, String(number), inOrder === null ? '' : `${Math.round(inOrder * 100)} %`, SENTENCES[verdict]]),
    ]));
    if (!context.json) terminal.note(`documents: ${docs.length}; reads: ${billed.reads}. Documents that were imported or restored have the createTime of that moment.`);
  });
}

/** @type {Record<Verdict, string>} */
const SENTENCES = {
  rises: 'rises', falls: 'falls, which is as hot', 'does not follow': 'does not follow createTime', 'too few': 'too few values or moments to tell',
};

/** @param {Document[]} docs @returns {Answer[]} */
export function verdicts(docs) {
  const inOrder = [...docs].sort((a, b) => compareTimes(a.createTime, b.createTime));
  /** @type {Map<string, {moment: string, value: Sortable}[]>} */
  const found = new Map();
  for (const { data, createTime } of inOrder) {
    eachField(data(), '', (field, value) => {
      found.set(field, [...found.get(field) ?? [], { moment: `${createTime.seconds}.${createTime.nanoseconds}`, value }]);
    });
  }
  return [...found].map(([field, values]) => verdict(field, ofMostFrequentKind(values))).sort((a, b) => (a.field < b.field ? -1 : 1));
}

/**
 * @param {string} field
 * @param {{moment: string, value: Sortable}[]} values In the order of createTime.
 * @returns {Answer}
 */
function verdict(field, values) {
  const isTooFew = new Set(values.map(({ moment }) => moment)).size < FEWEST || new Set(values.map(({ value }) => value.key)).size < FEWEST;
  if (isTooFew) return { field, verdict: 'too few', documents: values.length, inOrder: null };
  let inOrder = 0;
  let pairs = 0;
  values.forEach((first, i) => {
    for (const second of values.slice(i + 1)) {
      const order = first.moment === second.moment ? 0 : compare(first.value, second.value);
      if (order !== 0) pairs += 1;
      if (order < 0) inOrder += 1;
    }
  });
  const share = inOrder / pairs;
  const word = share >= FOLLOWS ? 'rises' : share <= 1 - FOLLOWS ? 'falls' : 'does not follow';
  return { field, verdict: word, documents: values.length, inOrder: share };
}

/**
 * @typedef {object} Sortable A value that an order of an index has.
 * @property {'number' | 'time' | 'text'} kind Values of two kinds are never mixed in an index.
 * @property {string | number | bigint} key Unlike for unlike values.
 * @property {any} value
 */

/**
 * @param {Record<string, unknown>} data
 * @param {string} prefix
 * @param {(field: string, value: Sortable) => void} take
 */
function eachField(data, prefix, take) {
  for (const [name, value] of Object.entries(data)) {
    const path = prefix + (/^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replaceAll(/[`\\]/g, String.raw`\$&`)}\``);
    if (typeof value === 'number' || typeof value === 'bigint') take(path, { kind: 'number', key: value, value });
    else if (typeof value === 'string') take(path, { kind: 'text', key: value, value });
    else if (value instanceof Timestamp) take(path, { kind: 'time', key: `${value.seconds}.${value.nanoseconds}`, value });
    else if (isMap(value)) eachField(value, `${path}.`, take);
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isMap(value) {
  return typeof value === 'object' && value !== null && !(value instanceof Bytes) && Object.getPrototypeOf(value) === Object.prototype;
}

/** @param {{moment: string, value: Sortable}[]} values */
function ofMostFrequentKind(values) {
  const lists = /** @type {const} */ (['number', 'time', 'text']).map((kind) => values.filter(({ value }) => value.kind === kind));
  return lists.reduce((most, each) => (each.length > most.length ? each : most));
}

/** @param {Sortable} a @param {Sortable} b */
function compare(a, b) {
  if (a.kind === 'time') return compareTimes(a.value, b.value);
  if (a.kind === 'text') return Buffer.compare(Buffer.from(a.value), Buffer.from(b.value));
  return a.value < b.value ? -1 : Number(a.value > b.value);
}

/** @param {Timestamp} a @param {Timestamp} b */
function compareTimes(a, b) {
  return a.seconds - b.seconds || a.nanoseconds - b.nanoseconds;
}
