// The documents to insert: the documentation's three instruments, and any number of others like them.

import { Timestamp } from '../library/values.js';

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
 * @returns {Instrument[]}
 */
export function randomInstruments(count) {
  let millis = Date.now();
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

/** @param {number} limit */
function below(limit) {
  return Math.floor(Math.random() * limit);
}

/** @param {string[]} list */
function pick(list) {
  return list[below(list.length)] ?? '';
}
