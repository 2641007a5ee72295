// The increments of one database that are on their way: whose they are, where they are stored, which tab sends them, and what to
// do when the page goes away or the network comes back.
//
//   increment() → CounterOutbox: an entry → StoredRecord: stored, and made ready as a batch → Sender: sent → settled
//
// Tabs tell each other about every change of a record. One of them leads: it sends. The others ask it to, and when it does
// not answer, one of them takes over. That two send the same batch does no harm: its ledger counts it once.

import { add } from '../totals.js';
import { rest } from './amounts.js';
import { StoredRecords } from './stored_records.js';
import { CounterOutbox } from './counter_outbox.js';
import { Leader } from './leader.js';
import { thisBrowser, watchPageLife } from './page_life.js';
import { PatientStorage, within } from './storage.js';
import { drawId } from './stored_text.js';
import { TabChannel } from './tab_channel.js';
import { inTurns } from './turns.js';
import { UserWatch } from './user_watch.js';
import { unclaimedError } from './waiters.js';
import { closedError } from './waits.js';
import { Warnings } from './warnings.js';

/**
 * @typedef {import('../connection.js').Connection} Connection
 * @typedef {import('./record.js').StoredRecord} StoredRecord
 * @typedef {import('./stored_text.js').Place} Place
 * @typedef {import('./tab_channel.js').News} News
 * @typedef {import('./page_life.js').Browser} Browser
 * @typedef {import('./storage.js').OutboxStorage} OutboxStorage
 * @typedef {import('./users.js').Users} Users
 */

/** How long close() waits for the server. */
const CLOSE_MS = 5000;
const MOST_DELIVERIES = 8;
/** How long other tabs have to say that they wait for an increment that was refused. */
const CLAIM_MS = 1000;

export class Outbox {
  #connection;
  #storage;
  #name;
  #users;
  #userWatch;
  #warnings;
  #browser;
  /** Whether other tabs use the same storage. */
  #isShared;
  #leader = new Leader(undefined, '', () => {});
  #channel;
  #storedRecords;
  #surroundings;
  /** @type {Map<string, CounterOutbox>} */
  #counters = new Map();
  #page = drawId();
  #ending = new AbortController();
  /** @type {Promise<void>} Until it is known for the first time who is there. */
  #asking = Promise.resolve();
  #learning = Promise.resolve();
  #isLearning = false;
  /** @type {Promise<void> | undefined} */
  #closing;

  /**
   * @param {Connection} connection
   * @param {OutboxStorage} storage
   * @param {string} name The same in all tabs that use the same storage.
   * @param {object} options
   * @param {Users} options.users
   * @param {((warning: import('../errors.js').ShardlineError) => void)} [options.onWarning]
   * @param {{initialDelayMs?: number, maxDelayMs?: number}} options.retry
   * @param {Browser} [options.browser]
   */
  constructor(connection, storage, name, { users, onWarning, retry, browser = thisBrowser() }) {
    this.#connection = connection;
    this.#storage = new PatientStorage(storage);
    this.#name = name;
    this.#users = users;
    this.#userWatch = new UserWatch(users, () => this.#onAsked(), () => [...this.#counters.values()].some(({ isWaitedFor }) => isWaitedFor));
    this.#warnings = new Warnings(onWarning);
    this.#isShared = storage.shared === true;
    this.#browser = storage.shared ? browser : { window: browser.window, document: browser.document };
    this.#channel = new TabChannel(this.#browser.Channel, name, {
      user: () => users.current,
      leads: () => this.#leader.leads,
      isHidden: () => this.#isHidden,
      isWaiting: () => this.#records.some((record) => record.isWaitedFor || record.pending.length > 0),
      onNews: (news) => this.#hear(news),
      onSend: (place, counter, ms) => this.counter(place.key, counter).wake(place, ms),
      onSilence: () => this.#leader.takeOver(),
      onVisibleFollower: () => this.#leader.yield(),
      onLongWait: () => (this.#leader.leads ? this.#resume() : this.#storedRecords.refreshAll()),
    });
    this.#storedRecords = new StoredRecords(this.#storage, {
      users,
      userWatch: this.#userWatch,
      warnings: this.#warnings,
      counter: (key, counter) => this.counter(key, counter),
      has: (place) => this.#counters.get(place.key)?.records.has(place) === true,
      records: () => this.#records,
      allRecords: () => this.#allRecords,
      resume: () => this.#resume(),
    });
    this.#surroundings = this.#makeSurroundings(retry);
    watchPageLife(browser, this.#ending.signal, {
      onOnline: () => this.#resume(),
      onHidden: () => this.#sendReady(false),
      onVisible: () => this.#onVisible(),
      onLeave: () => this.#onLeave(),
      onReturn: () => this.#onReturn(),
      onFreeze: () => this.#leader.stop(),
      onThaw: () => this.#leader.start(),
    });
    users.onChange = () => this.#onUser();
    if (users.current !== undefined) this.#onUser();
    else this.#asking = this.#userWatch.ask();
  }

  /**
   * The increments of the counter by that key.
   * @param {string} key
   * @param {import('./records.js').CounterArguments} options The counter's, if it is not known yet.
   */
  counter(key, options) {
    let counter = this.#counters.get(key);
    if (!counter) {
      counter = new CounterOutbox(this.#surroundings, key, options);
      this.#counters.set(key, counter);
    }
    return counter;
  }

  /** What was stored and could not be read, by the keys by which it is kept. */
  unreadable() {
    return this.#storedRecords.unreadable();
  }

  /** Aborted when it is closed. */
  get ended() {
    return this.#ending.signal;
  }

  /** Sends what waits, as long as that works, and stops. */
  close() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    await within(this.#flushOnce(), CLOSE_MS).catch(() => {});
    if (this.#browser.Channel) await within(this.#storedRecords.tidy(), CLOSE_MS).catch(() => {});
    this.#ending.abort(closedError('failed-precondition', 'closed', 'Connect again.'));
    this.#userWatch.stop();
    this.#storedRecords.stop();
    for (const counter of this.#counters.values()) counter.close();
    await within(Promise.all(this.#allRecords.map((record) => record.idle())), CLOSE_MS).catch(() => {});
    this.#leader.stop();
    this.#channel.close();
    await this.#storage.close();
  }

  /** Also what earlier pages have left. */
  async #flushOnce() {
    await this.#learnt();
    await Promise.all(Array.from(this.#counters.values(), (counter) => counter.flushOnce()));
  }

  get #isHidden() {
    return this.#browser.document?.visibilityState === 'hidden';
  }

  get #allRecords() {
    return [...this.#counters.values()].flatMap(({ records }) => records.all);
  }

  get #records() {
    return this.#allRecords.filter(({ place }) => this.#users.isHere(place.user));
  }

  /** @param {{initialDelayMs?: number, maxDelayMs?: number}} retry @returns {import('./counter_outbox.js').Surroundings} */
  #makeSurroundings({ initialDelayMs = 1000, maxDelayMs = 60_000 }) {
    return {
      connection: this.#connection,
      storage: this.#storage,
      users: this.#users,
      warnings: this.#warnings,
      page: () => this.#page,
      learnt: () => this.#learnt(),
      ended: this.#ending.signal,
      maySend: ({ place, isUnsaved }) => !this.#ending.signal.aborted && this.#users.isHere(place.user)
        && (this.#leader.leads || isUnsaved),
      // What is nobody's, tabs of other users may send as well.
      isOnlySender: (record) => this.#surroundings.maySend(record) && !record.isUnsaved
        && (!this.#isShared || (this.#leader.isAlone && record.place.user === this.#users.current)),
      inTurn: inTurns(MOST_DELIVERIES),
      firstPauseMs: initialDelayMs,
      longestPauseMs: maxDelayMs,
      tell: (news) => {
        if (news.seen.entries.length === 0) this.#storedRecords.tidyLater();
        this.#channel.tell(news);
      },
      endAt: (place) => this.#channel.endAt(place),
      askOthers: (place, epoch) => this.#channel.askForEnd(place, epoch),
      wakeLeader: ({ place, counter }, ms) => {
        if (this.#users.isHere(place.user)) this.#channel.send(place, counter, ms);
        else this.#userWatch.askLater();
      },
      onClaimed: (epoch, ticket, claimed) => this.#channel.tellClaimed(epoch, ticket, claimed),
      onUnclaimed: async (record, epoch, ticket, amount, claimed, error) => {
        const unclaimed = rest(amount, add(claimed, await this.#channel.claimed(epoch, ticket, CLAIM_MS)));
        if (unclaimed !== 0) this.#warnings.warn(unclaimedError(record.counter, unclaimed, error));
      },
      onUnknownUser: (error) => {
        this.#warnings.once('user', error);
        this.#userWatch.askLater();
      },
      onUnsaved: (cause) => this.#storedRecords.onUnsaved(cause),
    };
  }

  /** @param {News} news */
  #hear(news) {
    const { place, counter } = news;
    const known = this.#counters.get(place.key);
    const isHere = this.#users.isHere(place.user);
    // Of other users only what this page has shown as pending.
    const isWanted = isHere ? known || this.#leader.leads : known?.records.has(place);
    if (!isWanted) return;
    this.counter(place.key, counter).records.at(place).hear(news);
    if (news.seen.entries.length === 0) this.#storedRecords.tidyLater();
    else if (isHere) this.#channel.watch();
    else this.#storedRecords.waitForOthers();
  }

  /** Another user is there: another leader, and other increments. */
  #onUser() {
    if (this.#ending.signal.aborted) return;
    this.#warnings.forget('user');
    this.#userWatch.restart();
    this.#leader.stop();
    const { locks } = this.#browser;
    const leader = new Leader(locks, `${this.#name} ${JSON.stringify(this.#users.current)}`, () => {
      if (leader === this.#leader) this.#learn();
    });
    this.#leader = leader;
    leader.start();
    if (!leader.leads) this.#learn();
  }

  /** It is known who is there: perhaps the same user as before. */
  #onAsked() {
    this.#resume();
    if (!this.#storedRecords.othersWait) this.#userWatch.restart();
    else if (!this.#isLearning) this.#learn();
  }

  async #learnt() {
    await this.#asking;
    await this.#learning;
  }

  #learn() {
    this.#isLearning = true;
    this.#learning = this.#storedRecords.learn().finally(() => {
      this.#isLearning = false;
      // News of it may be missed, also by a tab that leads now.
      this.#channel.watch();
    });
  }

  #resume() {
    for (const counter of this.#counters.values()) counter.resume();
  }

  /** @param {boolean} isLeaving */
  #sendReady(isLeaving) {
    let hasSent = false;
    for (const counter of this.#counters.values()) hasSent = counter.sendReady(isLeaving) || hasSent;
    // What was sent without being staged must not be made ready anew. Whoever is another page cannot do that.
    if (hasSent) this.#page = drawId();
    if (!isLeaving) for (const counter of this.#counters.values()) void counter.hide();
  }

  #onLeave() {
    this.#sendReady(true);
    // Pages that hold a lock are not kept in the browser's cache.
    this.#leader.stop();
    this.#channel.close();
  }

  #onReturn() {
    this.#channel.open();
    this.#channel.watch();
    this.#leader.start();
    this.#learn();
    this.#onVisible();
  }

  #onVisible() {
    this.#channel.ping();
    if (this.#users.current === undefined || this.#storedRecords.othersWait) void this.#userWatch.ask();
  }
}
