// All increments of one counter that are on their way: those that wait to be stored, and the records of them.

import { add } from '../totals.js';
import { sum } from './amounts.js';
import { ShardlineError } from '../errors.js';
import { ContentionWatch } from './contention.js';
import { KnownShards } from './known_shards.js';
import { NewEntries } from './new_entries.js';
import { Records } from './records.js';
import { unclaimedError } from './waiters.js';
import { abortable, closedError, until } from './waits.js';

/**
 * @typedef {import('./amounts.js').Amount} Amount
 * @typedef {import('../totals.js').Total} Total
 * @typedef {import('./stored_text.js').Place} Place
 * @typedef {import('./users.js').User} User
 * @typedef {import('./new_entries.js').Entry} Entry
 *
 * @typedef {import('./records.js').CounterArguments} CounterArguments
 * @typedef {import('./record.js').StoredRecord} StoredRecord
 * @typedef {import('./tab_channel.js').News} News
 * @typedef {import('./record_state.js').Seen} Seen
 *
 * @typedef {object} Setting What a record needs of its outbox.
 * @property {import('../connection.js').Connection} connection
 * @property {import('./storage.js').PatientStorage} storage
 * @property {() => string} page The name of this page, for batches that it has prepared.
 * @property {(news: News) => void} tell Tells the other tabs.
 * @property {(place: Place) => Seen | undefined} endAt What was seen last of a record that was put back there and is gone.
 * @property {(place: Place, epoch: string) => Promise<void>} askOthers Ends when other tabs have told what they know of an epoch.
 * @property {(cause: unknown) => void} onUnsaved Called when the storage has failed.
 * @property {(record: StoredRecord, epoch: string, ticket: number, amount: Amount, claimed: Total,
 *   error: import('../errors.js').ShardlineError) => void} onUnclaimed
 *   Called when increments have failed, of which somebody here waits for so much: less than all.
 * @property {(epoch: string, ticket: number, claimed: Total) => void} onClaimed Called when somebody here was told of a failure that
 *   another tab has met, and of how much.
 *
 * @typedef {Setting & import('./sender.js').Sending & {
 *   learnt: () => Promise<void>,
 *   isOnlySender: (record: StoredRecord) => boolean,
 *   wakeLeader: (record: StoredRecord, ms: number) => void,
 *   onUnknownUser: (error: ShardlineError) => void,
 *   ended: AbortSignal,
 * }} Surroundings What it needs of its outbox. `learnt` resolves when what was stored before has been read; `wakeLeader` asks the tab
 *   that sends to do so; `isOnlySender` says whether no other tab than this one sends a record.
 */

export class CounterOutbox {
  #surroundings;
  #key;
  /** @type {Set<() => void>} */
  #listeners = new Set();
  #newEntries;
  /** Increments that go another way than through the outbox, and are under way. @type {Set<Amount>} */
  #tracked = new Set();
  /** Grows when one of them begins, and when it ends. */
  #trackings = 0;
  /** The same as `commits`, of increments that do not go through the outbox. */
  sentAlone = { attempts: 0, aborted: 0 };
  /** The sum of all that was ever asked for here, but for what was refused. @type {number | bigint} */
  asked = 0;
  #contention = new ContentionWatch(this);
  /** Its watches, and what they have shown. @type {{shown?: import('../watch.js').Shown, watches: Set<import('../watch.js').Watch>}} */
  live = { watches: new Set() };
  /** @type {CounterArguments} */
  counter;
  knownShards = new KnownShards();
  records;
  flushMs = 1000;
  /** @type {string | undefined} */
  clientId;
  /** @type {Amount | undefined} */
  maxDelta;

  /**
   * @param {Surroundings} surroundings
   * @param {string} key
   * @param {CounterArguments} counter
   */
  constructor(surroundings, key, counter) {
    this.#surroundings = surroundings;
    this.#key = key;
    this.counter = counter;
    this.records = new Records(surroundings, { counter: () => this.counter, knownShards: this.knownShards, onChange: () => this.#changed() });
    this.#newEntries = new NewEntries(surroundings, {
      store: (user, entries, onStored) => this.#storeEntries(user, entries, onStored),
      onChange: () => this.#changed(),
      onUnclaimed: (amount, error) => surroundings.warnings.warn(unclaimedError(this.counter, sum([amount]), error)),
    });
  }

  /** The sum of what was asked for here, or stored by any tab or earlier page, and is not confirmed. */
  get pending() {
    return sum(this.unconfirmed);
  }

  /** @returns {Amount[]} */
  get unconfirmed() {
    return [...this.records.all.flatMap((record) => record.pending), ...this.#newEntries.amounts, ...this.#tracked];
  }

  /** Whether somebody here waits for an increment. */
  get isWaitedFor() {
    return this.#newEntries.amounts.length > 0 || this.records.all.some((record) => record.isWaitedFor);
  }

  /** Undefined while something may be on its way to the server, from here or from another tab; otherwise another number after each time. */
  get quiet() {
    const isSending = this.#tracked.size > 0 || this.records.all.some((record) => record.sender.isSending || record.isInDoubt
      || (record.pending.length > 0 && !this.#surroundings.isOnlySender(record)));
    return isSending ? undefined : this.records.all.reduce((all, { sender, last }) => all + sender.sends + last.settled, this.#trackings);
  }

  /** How many commits this page has sent, and how many of them met with contention. */
  get commits() {
    const senders = [...this.records.senders, this.sentAlone];
    return {
      attempts: senders.reduce((all, { attempts }) => all + attempts, 0),
      aborted: senders.reduce((all, { aborted }) => all + aborted, 0),
    };
  }

  /** What this page has seen of contention. */
  get contention() {
    return this.#contention.seen;
  }

  /** Where it is told what goes wrong while nobody waits. */
  get warnings() {
    return this.#surroundings.warnings;
  }

  /** Aborted when the database is closed. */
  get ended() {
    return this.#surroundings.ended;
  }

  /** Resolves when it is known what earlier pages have left. */
  learnt() {
    return this.#surroundings.learnt();
  }

  /** @param {Parameters<ContentionWatch['start']>[0]} grow See ContentionWatch. */
  watchContention(grow) {
    this.#contention.start(grow);
  }

  /**
   * @param {() => void} listener Called after every change of `pending`. It must not throw.
   * @returns {() => void} Ends it.
   */
  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves when the increment is on the server.
   * @param {Amount} amount
   * @param {AbortSignal} [signal] Ends the wait; the increment too, if it has not been stored yet.
   * @returns {Promise<void>}
   */
  add(amount, signal) {
    // Before anything changes, for it may call a function of the user's, which may throw.
    const { known } = this.#surroundings.users;
    const value = this.#ask(amount);
    return this.#newEntries.add(amount, known, () => this.#takeBack(value), signal);
  }

  /**
   * Counts an increment as pending that goes another way.
   * @param {Amount} amount
   * @returns {(counted: boolean) => void} Ends it.
   */
  track(amount) {
    const value = this.#ask(amount);
    this.#tracked.add(amount);
    this.#trackings += 1;
    this.#changed();
    return (counted) => {
      if (!counted) this.#takeBack(value);
      this.#tracked.delete(amount);
      this.#trackings += 1;
      this.#changed();
    };
  }

  /** @param {Amount} amount */
  #ask(amount) {
    const value = sum([amount]);
    this.asked = add(this.asked, value);
    return value;
  }

  /** @param {number | bigint} value */
  #takeBack(value) {
    this.asked = add(this.asked, -value);
  }

  /**
   * Sends what waits. Resolves when everything that this page's user has asked for until now is settled: counted, or refused. Rejects
   * when the database is closed before.
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<void>}
   */
  flush({ signal } = {}) {
    const cancelled = (/** @type {unknown} */ cause) => (
      new ShardlineError('cancelled', 'The wait was cancelled; sending goes on.', { reason: 'increment-goes-on', cause }));
    return abortable(signal, cancelled, (isCancelled) => abortable(this.ended, (closed) => closed, async (isClosed) => {
      const isOver = () => isCancelled() || isClosed();
      await this.#surroundings.learnt();
      await this.#newEntries.stored(isOver);
      const records = this.records.own;
      const targets = records.map(({ last }) => last);
      for (const record of records) this.records.send(record, 0);
      await until(this, () => isOver() || records.every((record, i) => record.isSettled(targets[i] ?? record.last)));
    }));
  }

  /** The same, but gives up as soon as sending does not work. */
  async flushOnce() {
    await this.#newEntries.stored(() => false);
    const waiting = this.records.own.filter(({ pending }) => pending.length > 0);
    await Promise.all(waiting.map(async (record) => {
      const target = record.last;
      if (this.#surroundings.maySend(record)) return record.sender.deliver();
      this.records.send(record, 0);
      return until(this, () => record.isSettled(target));
    }));
  }

  /** Sends what is ready, when the page is hidden or goes away. @param {boolean} isLeaving */
  sendReady(isLeaving) {
    return this.records.own.map(({ sender }) => sender.sendReady(isLeaving)).includes(true);
  }

  /**
   * Sends what waits at a place, if this tab is the one to do so.
   * @param {Place} place
   * @param {number} ms
   */
  wake(place, ms) {
    const record = this.records.at(place);
    if (this.#surroundings.maySend(record)) record.sender.wake(ms);
  }

  /** This tab leads now; the user is back, or the network, or the storage: sends what has no time of its own. */
  resume() {
    this.records.resume();
    this.#newEntries.resume();
  }

  /** The page is hidden, and may end without another word: sends everything, also what is being stored just now. */
  async hide() {
    this.#newEntries.resume();
    this.records.sendAll();
    await this.#newEntries.stored(() => false);
    this.records.sendAll();
  }

  /** Everything that waits fails; what is stored is for the next page. */
  close() {
    this.#newEntries.rejectAll((isEntering) => (isEntering
      ? closedError('outcome-unknown', 'increment-in-doubt', 'The increment was being stored: it may or may not be sent when the database is connected again.')
      : closedError('cancelled', 'increment-withdrawn', 'The increment was not sent.')));
    for (const record of this.records.all) {
      const { sender } = record;
      sender.stop();
      record.rejectAll(() => (record.isVolatile
        ? closedError('outcome-unknown', 'increment-in-doubt', 'The increment may or may not have been counted.', sender.lastError)
        : closedError('cancelled', 'increment-goes-on', 'The increment is stored, and is sent when the database is connected again.', sender.lastError)));
    }
    this.#changed();
    this.#listeners.clear();
  }

  #changed() {
    this.records.tidy();
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * @param {User} user
   * @param {Entry[]} entries
   * @param {() => void} onStored
   */
  async #storeEntries(user, entries, onStored) {
    const record = this.records.at({ key: this.#key, user });
    // Their time is known from the moment on in which they are pending.
    const onTaken = () => {
      onStored();
      this.records.send(record, this.flushMs);
    };
    await this.records.withReadable(record, () => record.add(this.#bounds(), entries, onTaken));
  }

  #bounds() {
    return { clientId: this.clientId ?? null, maxDelta: this.maxDelta ?? null };
  }
}
