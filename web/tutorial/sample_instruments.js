// The documents to insert: the documentation's three instruments, and any number of others like them.

import { Timestamp } from '../library/values.js';
import { diceOf } from './model/dice.js';

/**
 * @typedef {object} Instrument
 * @property {string} symbol
 * @property {{currency: string, micros: number}} price
 * @property {string} exchange
 * @property {string} instrumentType
 * @property {Timestamp} timestamp
 */

const EXCHANGES = ['EXCHG1', 'EXCHG2', 'EXCHG3'];
const TYPES = ['commonstock', 'etf', 'bond'];
const CURRENCIES = ['USD', 'EUR', 'JPY', 'GBP'];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** @returns {Instrument[]} */
export function sampleInstruments() {
  return [
    {
      symbol: 'AAA',
      price: { currency: 'USD', micros: 34_790_000 },
      exchange: 'EXCHG1',
      instrumentType: 'commonstock',
      timestamp: Timestamp.fromString('2019-01-01T13:45:23.010Z'),
    },
    {
      symbol: 'BBB',
      price: { currency: 'JPY', micros: 64_272_000_000 },
      exchange: 'EXCHG2',
      instrumentType: 'commonstock',
      timestamp: Timestamp.fromString('2019-01-01T13:45:23.101Z'),
    },
    {
      symbol: 'Index1 ETF',
      price: { currency: 'USD', micros: 473_000_000 },
      exchange: 'EXCHG1',
      instrumentType: 'etf',
      timestamp: Timestamp.fromString('2019-01-01T13:45:23.001Z'),
    },
  ];
}

/**
 * Instruments of the last minutes, a few milliseconds apart: the rising timestamps that make a hot spot of an index.
 * @param {number} count
 * @param {{dice?: () => number, now?: number}} [options] `dice`: numbers from 0 to 1. `now`: in milliseconds since 1970.
 * @returns {Instrument[]}
 */
export function randomInstruments(count, { dice = Math.random, now = Date.now() } = {}) {
  const below = (/** @type {number} */ limit) => Math.floor(dice() * limit);
  const pick = (/** @type {string[]} */ list) => list[below(list.length)] ?? '';
  let millis = now;
  return Array.from({ length: count }, () => {
    millis -= 1 + below(2000);
    return {
      symbol: Array.from({ length: 3 }, () => LETTERS[below(LETTERS.length)]).join(''),
      price: { currency: pick(CURRENCIES), micros: (1 + below(500_000)) * 10_000 },
      exchange: pick(EXCHANGES),
      instrumentType: pick(TYPES),
      timestamp: new Timestamp(Math.floor(millis / 1000), (millis % 1000) * 1_000_000 + below(1000) * 1000),
    };
  });
}

/**
 * The same instruments at each call, the latest first, as documents of the sharded collection `instruments`.
 * @param {number} count
 * @param {number} shards
 * @returns {import('./model/code_program.js').GivenDocument[]}
 */
export function shardedInstruments(count, shards) {
  const dice = diceOf(1);
  return randomInstruments(count, { dice, now: Date.UTC(2026, 0, 1) }).map((instrument, place) => ({
    path: `instruments/i${place + 1}`, data: { ...instrument, shard: String(Math.floor(dice() * shards)) },
  }));
}
