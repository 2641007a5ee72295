// The increments of one database that are on their way: whose they are, where they are stored, which tab sends them, and what to
// do when the page goes away or the network comes back.
//
//   increment() → CounterOutbox: an entry → StoredRecord: stored, and made ready as a batch → Sender: sent → settled
//
// Tabs tell each other about every change of a record. One of them leads: it sends. The others ask it to, and when it does
// not answer, one of them takes over. That two send the same batch does no harm: its ledger counts it once.

import { callApart } from '../apart.js';
import { ShardlineError } from '../errors.js';
import { Backlog } from './backlog.js';
import { CounterOutbox } from './counter_outbox.js';
import { Leader } from './leader.js';
import { thisBrowser, watchPageLife } from './page_life.js';
import { PatientStorage, within } from './storage.js';
import { drawId } from './stored_text.js';
import { TabChannel } from './tab_channel.js';
import { inTurns } from './turns.js';
import { unclaimedError } from './waiters.js';

/**
 * @typedef {import('../connection.js').Connection} Connection
 * @typedef {import('./record.js').StoredRecord} StoredRecord
 * @typedef {import('./record.js').Place} Place
 * @typedef {import('./record.js').News} News
 * @typedef {import('./page_life.js').Browser} Browser
 * @typedef {import('./storage.js').OutboxStorage} OutboxStorage
 * @typedef {import('./users.js').Users} Users
 */

/** How long close() waits for the server. */
const CLOSE_MS = 5000;
const MOST_DELIVERIES = 8;
/** How often it is asked again who is signed in, while increments wait for their user: doubled each time, up to the longest. */
const FIRST_LOOK_MS = 1000;
const LONGEST_LOOK_MS = 60_000;
/** How long other tabs have to say that they wait for an increment that was refused. */
const CLAIM_MS = 1000;
/** Records that are gone and whose end is remembered, for tabs that have missed it. */
const MOST_PAST = 200;

export class Outbox {
  #connection;
  #storage;
  #name;
  #users;
  #onWarning;
  #browser;
  #leader = new Leader(undefined, '', () => {});
  #channel;
  #backlog;
  #surroundings;
  /** @type {Map<string, CounterOutbox>} */
  #counters = new Map();
  /** @type {Map<string, News>} How records ended, by epoch. */
  #past = new Map();
  #page = drawId();
  #ending = new AbortController();
  /** @type {Promise<void>} */
  #learning = Promise.resolve();
  #lookMs = FIRST_LOOK_MS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #lookTimer;
  /** @type {Set<string>} What has been told, and is not told again before it is over. */
  #told = new Set();
  /** @type {Promise<void> | undefined} */
  #closing;

  /**
   * @param {Connection} connection
   * @param {OutboxStorage} storage
   * @param {string} name The same in all tabs that use the same storage.
   * @param {object} options
   * @param {Users} options.users
   * @param {((warning: ShardlineError) => void)} [options.onWarning]
   * @param {{initialDelayMs?: number, maxDelayMs?: number}} options.retry
   * @param {Browser} [options.browser]
   */
  constructor(connection, storage, name, { users, onWarning, retry, browser = thisBrowser() }) {
    this.#connection = connection;
    this.#storage = new PatientStorage(storage);
    this.#name = name;
    this.#users = users;
    this.#onWarning = onWarning ?? ((/** @type {ShardlineError} */ warning) => console.warn(warning));
    this.#browser = storage.shared ? browser : { window: browser.window, document: browser.document };
    this.#channel = new TabChannel(this.#browser.Channel, name, {
      user: () => users.current,
      leads: () => this.#leader.leads,
      isHidden: () => this.#isHidden,
      isWaiting: () => this.#records.some((record) => record.isWaitedFor || record.pending.length > 0),
      onNews: (news) => this.#hear(news),
      onSend: (place, counter, ms) => this.counter(place.key, counter).wake(place, ms),
      past: (epoch) => this.#past.get(epoch),
      onSilence: () => this.#leader.takeOver(),
      onVisibleFollower: () => this.#leader.yield(),
      onLongWait: () => this.#backlog.lookAtAll(),
    });
    this.#backlog = new Backlog(this.#storage, {
      user: () => users.current,
      counter: (key, counter) => this.counter(key, counter),
      has: (place) => this.#counters.get(place.key)?.has(place) === true,
      records: () => this.#records,
      allRecords: () => this.#allRecords,
      resume: () => this.#resume(),
      lookLater: () => this.#lookLater(),
      warnOnce: (what, warning) => this.#warnOnce(what, warning),
      isMended: (what) => this.#told.delete(what),
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
    else this.#learning = this.#askUser();
  }

  /**
   * The increments of the counter by that key.
   * @param {string} key
   * @param {object} options The counter's, if it is not known yet.
   */
  counter(key, options) {
    let counter = this.#counters.get(key);
    if (!counter) {
      counter = new CounterOutbox(this.#surroundings, key, options);
      this.#counters.set(key, counter);
    }
    return counter;
  }

  /**
   * What was stored and could not be read, by the keys by which it is kept.
   * @returns {Promise<Map<string, string>>}
   */
  unreadable() {
    return this.#backlog.unreadable();
  }

  /**
   * Sends what waits, as long as that works, and stops.
   * @returns {Promise<void>}
   */
  close() {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    await within(this.#flushOnce(), CLOSE_MS).catch(() => {});
    if (this.#browser.Channel) await within(this.#backlog.tidy(), CLOSE_MS).catch(() => {});
    this.#ending.abort();
    clearTimeout(this.#lookTimer);
    this.#backlog.stop();
    for (const counter of this.#counters.values()) counter.close();
    this.#leader.stop();
    this.#channel.close();
    await this.#storage.close();
  }

  /** Also what earlier pages have left. */
  async #flushOnce() {
    await this.#learning;
    await Promise.all(Array.from(this.#counters.values(), (counter) => counter.flushOnce()));
  }

  get #isHidden() {
    return this.#browser.document?.visibilityState === 'hidden';
  }

  get #allRecords() {
    return [...this.#counters.values()].flatMap(({ records }) => records);
  }

  get #records() {
    return this.#allRecords.filter(({ place }) => place.user === this.#users.current);
  }

  /** @param {{initialDelayMs?: number, maxDelayMs?: number}} retry @returns {import('./counter_outbox.js').Surroundings} */
  #makeSurroundings({ initialDelayMs = 1000, maxDelayMs = 60_000 }) {
    return {
      connection: this.#connection,
      storage: this.#storage,
      users: this.#users,
      page: () => this.#page,
      learnt: () => this.#learning,
      maySend: ({ place, isUnsaved }) => !this.#ending.signal.aborted && place.user === this.#users.current
        && (this.#leader.leads || isUnsaved),
      owns: (user, token) => this.#users.owns(user, token),
      inTurn: inTurns(MOST_DELIVERIES),
      firstPauseMs: initialDelayMs,
      longestPauseMs: maxDelayMs,
      tell: (news) => {
        this.#remember(news);
        if (news.seen.entries.length === 0) this.#backlog.tidyLater();
        this.#channel.tell(news);
      },
      past: (epoch) => this.#past.get(epoch)?.seen,
      askOthers: (place, epoch) => this.#channel.askPast(place, epoch),
      wakeLeader: ({ place, counter }, ms) => {
        if (place.user === this.#users.current) this.#channel.send(place, counter, ms);
        else this.#lookLater();
      },
      warn: (warning) => this.#warn(warning),
      warnOnce: (what, warning) => this.#warnOnce(what, warning),
      onClaimed: (epoch, ticket) => this.#channel.tellClaimed(epoch, ticket),
      onUnclaimed: async (record, epoch, ticket, amount, error) => {
        if (!await this.#channel.isClaimed(epoch, ticket, CLAIM_MS)) this.#warn(unclaimedError(record.counter, amount, error));
      },
      onUnknownUser: (error) => {
        this.#warnOnce('user', error);
        this.#lookLater();
      },
      onUnsaved: (cause) => this.#backlog.onUnsaved(cause),
    };
  }

  /** @param {ShardlineError} warning */
  #warn(warning) {
    callApart(this.#onWarning, warning);
  }

  /**
   * @param {string} what
   * @param {ShardlineError} warning
   */
  #warnOnce(what, warning) {
    if (!this.#told.has(what)) this.#warn(warning);
    this.#told.add(what);
  }

  /** @param {News} news */
  #hear(news) {
    this.#remember(news);
    const { place, counter } = news;
    const known = this.#counters.get(place.key);
    // Of other users only what this page has shown as pending.
    const isWanted = place.user === this.#users.current ? known || this.#leader.leads : known?.has(place);
    if (isWanted) this.counter(place.key, counter).record(place).hear(news);
    if (news.seen.entries.length > 0) this.#channel.watch();
  }

  /** @param {News} news */
  #remember(news) {
    if (news.seen.entries.length > 0) return;
    this.#past.set(news.seen.epoch, news);
    const [oldest] = this.#past.keys();
    if (this.#past.size > MOST_PAST && oldest !== undefined) this.#past.delete(oldest);
  }

  // ----- whose increments

  /** Another user is there: another leader, and other increments. */
  #onUser() {
    if (this.#ending.signal.aborted) return;
    this.#told.delete('user');
    this.#lookMs = FIRST_LOOK_MS;
    this.#leader.stop();
    const { locks } = this.#browser;
    const leader = new Leader(locks, `${this.#name} ${JSON.stringify(this.#users.current)}`, () => {
      if (leader === this.#leader) this.#learning = this.#backlog.learn();
    });
    this.#leader = leader;
    leader.start();
    if (!leader.leads) this.#learning = this.#backlog.learn();
  }

  async #askUser() {
    clearTimeout(this.#lookTimer);
    this.#lookTimer = undefined;
    const before = this.#learning;
    try {
      await this.#users.ask();
      this.#resume();
    } catch {
      this.#lookLater();
      return;
    }
    if (this.#backlog.othersWait && this.#learning === before) this.#learning = this.#backlog.learn();
    await this.#learning;
  }

  /** Asks again who is there. */
  #lookLater() {
    if (this.#lookTimer !== undefined || this.#ending.signal.aborted) return;
    this.#lookTimer = setTimeout(() => void this.#askUser(), this.#lookMs);
    /** @type {any} */ (this.#lookTimer).unref?.();
    this.#lookMs = Math.min(this.#lookMs * 2, LONGEST_LOOK_MS);
  }

  // ----- the page

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
    this.#leader.start();
    this.#learning = this.#backlog.learn();
    this.#onVisible();
  }

  #onVisible() {
    this.#channel.ping();
    if (this.#users.current === undefined || this.#backlog.othersWait) void this.#askUser();
  }
}
