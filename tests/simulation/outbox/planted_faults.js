// Faults that lives of pages must find: each is one wrong decision of the library, made by replacing one expression in one file while
// Node loads it. What is shipped is not touched. An expression that is not there, or there twice, is an error: the fault has to be
// planted anew where the decision is made by now.

import { readFileSync } from 'node:fs';
import { register } from 'node:module';

/**
 * @typedef {object} PlantedFault
 * @property {string} name
 * @property {string} what
 * @property {string} file In web/library.
 * @property {string} expression
 * @property {string} replacement
 * @property {boolean} [isHarsh] Whether it is looked for in the harsh world, of which the ordinary run has less.
 * @property {number} [first] The seed to begin with, where it takes something rare: the seeds before it live well with the fault.
 */

/** @type {PlantedFault[]} */
export const PLANTED_FAULTS = [
  {
    name: 'record-removed-when-sent', what: 'a record leaves the storage before the server has answered',
    file: 'outbox/record_state.js', expression: 'name === TIDY && view.entries.length === 0 ? undefined', replacement: "name === TIDY || name === 'queue.stage' ? undefined",
  },
  {
    name: 'settled-record-stays', what: 'settled records are never removed',
    file: 'outbox/stored_records.js', expression: 'new Delayed(() => void this.tidy())', replacement: 'new Delayed(() => {})',
  },
  {
    name: 'batch-prepared-again', what: 'a page that has sent without staging may prepare the batch anew',
    file: 'outbox/outbox.js', expression: 'if (hasSent) this.#page = drawId();', replacement: '',
  },
  {
    name: 'batch-renumbered', what: 'a batch gets another id whenever it is sent anew, also by the tab that has taken over',
    file: 'outbox/sender.js', expression: '{ counter, batch }', replacement: '{ counter, batch: { ...batch, id: `${batch.id.slice(0, -4)}${1000 + (Math.floor(performance.now()) % 9000)}` } }',
  },
  {
    name: 'batch-of-another-page', what: 'a page sends what another page has made ready',
    file: 'outbox/record.js', expression: '...seen, batch: undefined, inDoubt', replacement: '...seen, inDoubt', first: 250,
  },
  {
    name: 'token-of-another-user', what: 'a record is sent under whatever token there is',
    file: 'outbox/users.js', expression: 'if (!this.#name) return userOfToken(token) === user;', replacement: 'if (!this.#name) return true;',
  },
  {
    name: 'token-of-the-user-before', what: 'with the option `user`, a token is not asked for whom it was made',
    file: 'outbox/users.js', expression: 'return !this.#authToken || (made?.user === user && String(made.token).trim() === String(token));', replacement: 'return made !== null;',
  },
  {
    name: 'nobody-waits', what: 'what was asked for while nobody was signed in is not sent while somebody is',
    file: 'outbox/users.js', expression: 'return user === null && isSomebodyThere ? null : undefined;', replacement: 'return undefined;',
  },
  {
    name: 'user-asked-once', what: 'who cannot be told who is signed in never asks again',
    file: 'outbox/user_watch.js', expression: 'new Delayed(() => void this.ask())', replacement: 'new Delayed(() => {})',
  },
  {
    name: 'follower-hears-nothing', what: 'a follower does not hear of a settled entry',
    file: 'outbox/tab_channel.js', expression: 'this.#host.onNews(message.news);', replacement: '',
  },
  {
    name: 'silent-leader-stays', what: 'a leader that does not answer is waited for',
    file: 'outbox/tab_channel.js', expression: 'this.#host.onSilence();', replacement: '', first: 100,
  },
  {
    name: 'lock-not-stolen', what: 'a tab that takes over waits for the lock like any other',
    file: 'outbox/leader.js', expression: 'this.#request(true);', replacement: 'this.#request(false);', first: 100,
  },
  {
    name: 'lock-kept-in-cache', what: 'a page goes into the browser’s cache with its lock',
    file: 'outbox/outbox.js', expression: '// Pages that hold a lock are not kept in the browser\'s cache.\n    this.#leader.stop();', replacement: '',
  },
  {
    name: 'epoch-of-the-storage-ignored', what: 'a record that was begun anew is taken for the one that was seen',
    file: 'outbox/start_of_step.js', expression: 'const isSameEpoch = stored?.epoch === seen.epoch;', replacement: 'const isSameEpoch = stored !== undefined;',
  },
  {
    name: 'epoch-of-the-waiter-ignored', what: 'tickets of one epoch settle who waits in another',
    file: 'outbox/waiters.js', expression: 'waiter.epoch === epoch && waiter.last <= settled', replacement: 'waiter.last <= settled', first: 900,
  },
  {
    name: 'settled-by-the-first-part', what: 'an increment that takes several commits is told as counted after the first',
    file: 'outbox/waiters.js', expression: 'waiter.last <= settled', replacement: 'waiter.first <= settled', first: 100,
  },
  {
    name: 'settled-by-an-older-view', what: 'what is in memory only is settled by what another tab has seen of the storage',
    file: 'outbox/waiters.js', expression: '&& !(isFromOtherTab && waiter.isUnsaved)', replacement: '', first: 200,
  },
  {
    name: 'other-tab-written-over', what: 'a tab that went on in memory writes over what another tab has stored since',
    file: 'outbox/start_of_step.js', expression: 'return isKnown ?', replacement: 'return isKnown !== undefined ?', first: 120,
  },
  {
    name: 'lost-not-put-back', what: 'what was cleared while somebody waits for it is not stored again',
    file: 'outbox/records.js', expression: 'void this.#putBack(place, lost, waiters, isPrivate)', replacement: 'void isPrivate',
  },
  {
    name: 'ledger-for-everybody', what: 'every tab that has seen a record settled goes on with its ledger',
    file: 'outbox/record_state.js', expression: 'isNew ? this.#inherited : base.state', replacement: 'isNew ? this.#inherited ?? (this.seen?.entries.length === 0 ? this.seen.state : undefined) : base.state', first: 1400,
  },
  {
    name: 'put-back-twice', what: 'what is put back is stored as new besides, under a ledger of its own',
    file: 'outbox/records.js', expression: 'if (missing.length > 0) await', replacement: 'if (missing.length === 0) await this.at(place).add(this.#owner.counter(), { clientId: null, maxDelta: null }, waiters.map((waiter) => ({ ...waiter, resolve: () => {}, reject: () => {} })), () => {}); else await',
  },
  {
    name: 'epoch-of-two', what: 'what several tabs have put back, each from what it has seen, goes under one epoch',
    file: 'outbox/record.js', expression: 'epoch: drawId(), upTo', replacement: 'epoch: `${lost.epoch}+`, upTo', isHarsh: true, first: 12_100,
  },
  {
    name: 'left-behind', what: 'those wait for ever whose record was stored before its page went on in memory, and is gone',
    file: 'outbox/record.js', expression: '(!isThere || isUnsaved === true)', replacement: 'isUnsaved === true', isHarsh: true,
  },
  {
    name: 'memory-not-stored', what: 'what was kept in memory is not stored when the storage works again',
    file: 'outbox/storage.js', expression: 'this.#downUntil = performance.now() + this.#pauseMs;', replacement: 'this.#downUntil = Infinity;',
  },
  {
    name: 'storage-waited-for', what: 'a storage that does not answer is waited for without end',
    file: 'outbox/storage.js', expression: 'const left = mine.since + LONGEST_WAIT_MS - now;', replacement: 'const left = LONGEST_WAIT_MS;',
  },
  {
    name: 'cancelled-while-stored', what: 'an increment that is cancelled while it is stored is said not to be counted',
    file: 'outbox/new_entries.js', expression: 'this.#fresh.includes(entry) && !this.#entering.has(entry)', replacement: 'this.#fresh.includes(entry)',
  },
  {
    name: 'refusal-not-told', what: 'a refusal that nobody waits for is told to nobody',
    file: 'outbox/outbox.js', expression: 'if (unclaimed !== 0) this.#warnings', replacement: 'if (unclaimed === 0) this.#warnings', first: 1300,
  },
  {
    name: 'refusal-told-twice', what: 'a refusal that was told in another tab is told here as well',
    file: 'outbox/tab_channel.js', expression: 'return claimed;', replacement: 'return 0;', first: 3800,
  },
  {
    name: 'refusal-told-in-part', what: 'of increments that went together, nobody is told of those for which nobody waits',
    file: 'outbox/amounts.js', expression: "return 'integerValue' in amount ?", replacement: "return amount === undefined ?", first: 1325,
  },
  {
    name: 'doubt-is-refusal', what: 'what a crash or a lost answer breaks off is told as refused',
    file: 'outbox/sender.js', expression: "code === 'invalid-argument' ? 'refused' : 'unsettled'", replacement: "code === '' ? 'unsettled' : 'refused'",
  },
  {
    name: 'crash-for-good', what: 'a module that has crashed is not started again',
    file: 'load.js', expression: 'this.#module = undefined;', replacement: '',
  },
  {
    name: 'keepalive-inherited', what: 'retries of a page that went away outlive the page as well',
    file: 'driver.js', expression: 'this.#keepalive = false;', replacement: '',
  },
  {
    name: 'turn-not-given-back', what: 'a delivery that has ended goes on taking the place of another',
    file: 'outbox/turns.js', expression: 'else running -= 1;', replacement: '',
  },
  {
    name: 'watch-goes-back', what: 'a watch shows a sum in which our own increments are missing that were under way',
    file: 'watch.js', expression: 'most(low, least(high, current ?? add(reading.value, add(add(...parts), subtract(askedNow, asked)))))', replacement: 'low',
  },
  {
    name: 'watch-shows-cancelled', what: 'an increment that was cancelled stays in what its page has asked for',
    file: 'outbox/new_entries.js', expression: 'onFailed();', replacement: '',
  },
  {
    name: 'watch-counts-twice', what: 'a watch adds what waits to a sum that may have it already',
    file: 'watch.js', expression: 'const total = isQuiet ?', replacement: 'const total = isQuiet !== undefined ?',
  },
  {
    name: 'watch-guesses', what: 'a watch shows a first total at once, though our own increments may be in the sum or not',
    file: 'watch.js', expression: 'if (left > 0) {', replacement: 'if (left > MOST_UNCLEAR_MS) {',
  },
  {
    name: 'watch-leaves-out', what: 'a watch whose first total cannot be known for long shows one without our own increments',
    file: 'watch.js', expression: 'current ?? add(', replacement: 'current ?? low ?? add(', first: 500,
  },
];

/**
 * Plants a fault in what is imported from now on.
 * @param {string} name
 */
export function plant(name) {
  const fault = PLANTED_FAULTS.find((each) => each.name === name);
  if (!fault) throw new Error(`There is no planted fault ${name}.`);
  const url = new URL(`../../../web/library/${fault.file}`, import.meta.url);
  const pieces = readFileSync(url, 'utf8').split(fault.expression);
  if (pieces.length !== 2) throw new Error(`${fault.file} has “${fault.expression}” ${pieces.length - 1} times, not once: plant ${name} anew.`);
  register('./planting_loader.js', { parentURL: import.meta.url, data: { url: url.href, source: pieces.join(fault.replacement) } });
}
