// The options of connect() that belong to counting, in the entries that count.

import { checkFunction, checkOptions } from './connect.js';
import { readOptions } from './options.js';
import { Users } from './users.js';

/** @typedef {ReturnType<typeof takeConnectOptions>} TakenOptions */

/** @param {import('./counter_database.js').ConnectOptions} options */
export function takeConnectOptions(options) {
  const all = readOptions('connect', options);
  const { storage, onWarning, retry, user, authToken } = all;
  checkFunction('onWarning', onWarning);
  checkFunction('user', user);
  const users = new Users(authToken, user);
  const checked = checkOptions({ ...all, ...(typeof authToken === 'function' ? { authToken: users.authToken } : {}) }, ['storage', 'onWarning', 'user']);
  if (user) checked.transport.user = () => users.known;
  return { checked, storage: storage === undefined ? checked.storage : storage, users, onWarning, retry };
}
