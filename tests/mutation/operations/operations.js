// Every kind of operation of the library. The mutation fuzzer draws from them.

import { BATCH_OPERATIONS } from './batches.js';
import { COLLECTION_OPERATIONS } from './collections.js';
import { COUNTER_OPERATIONS } from './counters.js';
import { ID_OPERATIONS } from './ids.js';
import { STOCK_OPERATIONS } from './stocks.js';

/**
 * @typedef {object} Surroundings
 * @property {import('shardline').Database} db
 * @property {import('../../emulator/support/random.js').Random} random
 * @property {import('../hostile_server.js').HostileServer} server
 *
 * @typedef {object} Outcome What came of run().
 * @property {boolean} truthful Whether every answer was true, or no answer at all.
 * @property {number} commits How many the server has had meanwhile.
 * @property {any} [result]
 * @property {any} [error]
 *
 * @typedef {object} Operation
 * @property {string} name
 * @property {boolean} [writes]
 * @property {(surroundings: Surroundings) => Promise<any>} prepare Before the server lies; returns what the others are passed.
 * @property {(surroundings: Surroundings, context: any) => Promise<any>} run While it lies.
 * @property {(result: any, context: any, disorderly: boolean) => void} check Throws if a result is wrong; called when no answer was a
 *   lie. `disorderly`: in one of them documents were out of order, or there twice.
 * @property {(surroundings: Surroundings, context: any, outcome: Outcome) => Promise<void>} after With an honest server, on the same
 *   connection; throws if anything is not as it must be.
 */

/** @type {Operation[]} */
export const OPERATIONS = [...COUNTER_OPERATIONS, ...ID_OPERATIONS, ...STOCK_OPERATIONS, ...COLLECTION_OPERATIONS, ...BATCH_OPERATIONS];
