// Opens the parts that count: a connection to the core, and the outbox.

import { takeConnectOptions } from './counter_options.js';
import { openConnection } from './connection.js';
import { Outbox } from './outbox/outbox.js';
import { openStorage } from './storage/storage.js';

/**
 * @param {import('./counter_database.js').ConnectOptions} options
 * @param {import('./connect.js').Load} load
 * @param {import('./connect.js').Load} loadSecond
 * @param {import('./outbox/page_life.js').Browser} [browser] For tests, which have browsers of their own.
 */
export async function openCounters(options, load, loadSecond, browser) {
  return openOutbox(takeConnectOptions(options), load, loadSecond, { browser });
}

/**
 * @param {import('./counter_options.js').TakenOptions} taken
 * @param {import('./connect.js').Load} load
 * @param {import('./connect.js').Load} loadSecond
 * @param {{browser?: import('./outbox/page_life.js').Browser | undefined, early?: import('./early.js').Early}} [more] `early`: the calls that came
 * before.
 */
export async function openOutbox({ checked, storage, users, onWarning, retry = {} }, load, loadSecond, more) {
  const opened = openStorage(storage, checked.name);
  const connection = await openConnection(checked, load, loadSecond);
  more?.early?.ended.throwIfAborted();
  return { connection, outbox: new Outbox(connection, opened, checked.name, { users, onWarning, retry, ...more }), root: checked.root };
}
