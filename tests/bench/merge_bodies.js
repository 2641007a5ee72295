// Answers of :runQuery for the merge benchmark: instruments as in the sample, newest first, spread over the answers at random.

import { documentId, randomNumbers } from './random.js';

const BASE = Date.parse('2024-01-01T00:00:00Z');

/**
 * How the same JSON may be laid out.
 * - `indented` is what production sends, as Google's REST APIs do unless `prettyPrint=false` is asked for, element by element
 *   as the stream brings them;
 * - `emulator` has its lines broken elsewhere;
 * - `compact` has no white space.
 * @type {{[form: string]: (elements: object[]) => string}}
 */
export const FORMS = {
  indented: (elements) => `[${elements.map((element) => JSON.stringify(element, null, 2)).join('\n,\n')}\n]`,
  emulator: (elements) => `[\n${elements.map((element) => JSON.stringify(element, null, 2)).join(',\n')}\n]\n`,
  compact: (elements) => JSON.stringify(elements),
};

/**
 * @param {number} answers
 * @param {number} limit Documents per answer.
 * @param {keyof typeof FORMS} form
 * @returns {Uint8Array[]}
 */
export function makeBodies(answers, limit, form) {
  const random = randomNumbers(answers * 1000 + limit);
  /** @type {object[][]} */
  const elements = Array.from({ length: answers }, () => []);
  for (let left = answers * limit, number = 0; left > 0; left -= 1, number += 1) {
    // Shuffled, yet all answers are full in the end.
    let target = Math.floor(random() * answers);
    while (elements[target].length === limit) target = (target + 1) % answers;
    const shard = target * 30 + Math.floor(random() * 30);
    elements[target].push(element(number, shard, random));
  }
  const encoder = new TextEncoder();
  return elements.map((list) => encoder.encode(FORMS[form](list)));
}

/**
 * @param {number} number 0 is the newest.
 * @param {number} shard
 * @param {() => number} random
 */
function element(number, shard, random) {
  const timestamp = moment(BASE - number * 37, number);
  const createTime = moment(BASE - number * 37 + 120, number + 123);
  const updateTime = random() < 0.7 ? createTime : moment(BASE + number * 11, number + 7);
  const fields = {
    shard: { stringValue: `${shard}` },
    symbol: { stringValue: `S${number}` },
    exchange: { stringValue: `EXCHG${Math.floor(random() * 9)}` },
    instrumentType: { stringValue: random() < 0.5 ? 'commonstock' : 'etf' },
    price: { mapValue: { fields: { currency: { stringValue: 'USD' }, micros: { integerValue: `${Math.floor(random() * 1e9)}` } } } },
    timestamp: { timestampValue: timestamp },
  };
  const name = `projects/demo/databases/(default)/documents/instruments/${documentId(random)}`;
  return { document: { name, fields, createTime, updateTime }, readTime: '2024-01-01T00:00:02.654321Z' };
}

/**
 * @param {number} millis
 * @param {number} micros On top, of which the last three digits count.
 */
function moment(millis, micros) {
  return new Date(millis).toISOString().replace('Z', `${String(micros % 1000).padStart(3, '0')}Z`);
}
