// The increments of one database that are on their way: whose they are, where they are stored, which tab sends them, and what to
// do when the page goes away or the network comes back.
//
//   increment() → CounterOutbox: an entry → StoredRecord: stored, and made ready as a batch → Sender: sent → settled
//
// Tabs tell each other about every change of a record. One of them leads: it sends. The others ask it to, and when it does
// not answer, one of them takes over. That two send the same batch does no harm: its ledger counts it once.

import { callApart } from '../apart.js';
import { ShardlineError } from '../errors.js';
import { CounterOutbox } from './counter_outbox.js';
import { Leader } from './leader.js';
import { watchPageLife } from './page_life.js';
import { unclaimedError } from './record.js';
import { PatientStorage, within } from './storage.js';
import { drawId, readStored, UNREADABLE } from './stored_text.js';
import { TabChannel } from './tab_channel.js';
import { inTurns } from './turns.js';

/**
 * @typedef {import('../connection.js').Connection} Connection
 * @typedef {import('./record.js').StoredRecord} StoredRecord
 * @typedef {import('./record.js').Place} Place
 * @typedef {import('./record.js').News} News
 * @typedef {import('./storage.js').OutboxStorage} OutboxStorage
 * @typedef {import('./users.js').Users} Users
 *
 * @typedef {object} Browser What a page has of its browser; in Node there is nothing of it.
 * @property {import('./leader.js').Locks} [locks]
 * @property {new (name: string) => BroadcastChannel} [Channel]
 * @property {EventTarget} [window]
 * @property {Document} [document]
 */

/** How long close() waits for the server. */
const CLOSE_MS = 5000;
const MOST_DELIVERIES = 8;
/** How often it is asked again who is signed in, while increments wait for their user: doubled each time, up to the longest. */
const FIRST_LOOK_MS = 1000;
const LONGEST_LOOK_MS = 60_000;
/** How long other tabs have to say that they wait for an increment that was refused. */
const CLAIM_MS = 1000;
/** How long settled records stay, for tabs that have missed how they ended. */
const TIDY_MS = 10_000;
/** Records that are gone and whose end is remembered, for tabs that have missed it. */
const MOST_PAST = 200;

/** @returns {Browser} */
export function thisBrowser() {
  const { navigator, BroadcastChannel: Channel, document } = /** @type {any} */ (globalThis);
  const window = 'addEventListener' in globalThis ? globalThis : undefined;
  return { locks: navigator?.locks, Channel, document, window };
}

export class Outbox {
  #connection;
  #storage;
  #name;
  #users;
  #onWarning;
  #browser;
  #leader = new Leader(undefined, '', () => {});
  #channel;
  #surroundings;
  /** @type {Map<string, CounterOutbox>} */
  #counters = new Map();
  /** @type {Map<string, News>} How records ended, by epoch. */
  #past = new Map();
  #page = drawId();
  #ending = new AbortController();
  /** @type {Promise<void>} */
  #learning = Promise.resolve();
  /** Whether increments of users who are not there are stored. */
  #othersWait = false;
  #lookMs = FIRST_LOOK_MS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #lookTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #saveTimer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #tidyTimer;
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
      onLongWait: () => this.#lookAtAll(),
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
  async unreadable() {
    return new Map([...await this.#storage.all()].filter(([key]) => key.startsWith(UNREADABLE)));
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
    const flushed = Promise.all(Array.from(this.#counters.values(), (counter) => counter.flushOnce()));
    await within(flushed, CLOSE_MS).catch(() => {});
    if (this.#browser.Channel) await within(this.#tidy(), CLOSE_MS).catch(() => {});
    this.#ending.abort();
    clearTimeout(this.#lookTimer);
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#tidyTimer);
    for (const counter of this.#counters.values()) counter.close();
    this.#leader.stop();
    this.#channel.close();
    await this.#storage.close();
  }

  get #isHidden() {
    return this.#browser.document?.visibilityState === 'hidden';
  }

  get #records() {
    return [...this.#counters.values()].flatMap(({ records }) => records)
      .filter(({ place }) => place.user === this.#users.current);
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
        if (news.seen.entries.length === 0) this.#tidyLater();
        this.#channel.tell(news);
      },
      past: (epoch) => this.#past.get(epoch)?.seen,
      askOthers: (place, epoch) => this.#channel.askPast(place, epoch),
      wakeLeader: ({ place, counter }, ms) => {
        if (place.user === this.#users.current) this.#channel.send(place, counter, ms);
        else this.#lookLater();
      },
      warn: (warning) => this.#warn(warning),
      onClaimed: (epoch, ticket) => this.#channel.tellClaimed(epoch, ticket),
      onUnclaimed: async (record, epoch, ticket, amount, error) => {
        if (!await this.#channel.isClaimed(epoch, ticket, CLAIM_MS)) this.#warn(unclaimedError(record.counter, amount, error));
      },
      onUnknownUser: (error) => {
        this.#warnOnce('user', error);
        this.#lookLater();
      },
      onUnsaved: (cause) => this.#onUnsaved(cause),
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
    const isKnown = this.#counters.get(place.key);
    if (isKnown || this.#leader.leads) this.counter(place.key, counter).record(place).hear(news);
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
      if (leader === this.#leader) this.#learning = this.#learn();
    });
    this.#leader = leader;
    leader.start();
    if (!leader.leads) this.#learning = this.#learn();
  }

  async #askUser() {
    clearTimeout(this.#lookTimer);
    this.#lookTimer = undefined;
    try {
      await this.#users.ask();
      this.#resume();
    } catch {
      this.#lookLater();
      return;
    }
    if (this.#othersWait) this.#lookLater();
    await this.#learning;
  }

  /** Asks again who is there. */
  #lookLater() {
    if (this.#lookTimer !== undefined || this.#ending.signal.aborted) return;
    this.#lookTimer = setTimeout(() => void this.#askUser(), this.#lookMs);
    /** @type {any} */ (this.#lookTimer).unref?.();
    this.#lookMs = Math.min(this.#lookMs * 2, LONGEST_LOOK_MS);
  }

  // ----- what is stored

  /** Learns what earlier pages and other tabs have stored, and sends it. */
  async #learn() {
    /** @type {Map<string, string>} */
    let texts;
    try {
      texts = await this.#storage.all();
    } catch {
      return; // The first increment will say so.
    }
    this.#othersWait = false;
    for (const [id, text] of texts) {
      if (!id.startsWith(UNREADABLE)) await this.#take(id, text);
    }
    if (this.#othersWait) this.#lookLater();
    if (texts.size > 0) this.#tidyLater();
    this.#resume();
  }

  /**
   * @param {string} id
   * @param {string} text
   */
  async #take(id, text) {
    try {
      const stored = readStored(text);
      if (!stored) return;
      const { key, user, side, counter } = stored;
      if (user !== this.#users.current) {
        this.#othersWait = true;
        return;
      }
      const place = side === undefined ? { key, user } : { key, user, side };
      const record = this.counter(key, counter).record(place);
      await record.take(text).catch((error) => this.counter(key, counter).setAside(record, error));
    } catch (error) {
      this.#warnOnce(id, /** @type {ShardlineError} */ (error));
      const keep = `${UNREADABLE}${Date.now()} ${id}`;
      await this.#storage.update(keep, () => text, { durable: true })
        .then(() => this.#storage.update(id, (now) => (now === text ? undefined : now), { durable: false }))
        .catch(() => {}); // It stays where it is.
    }
  }

  #lookAtAll() {
    for (const record of this.#records) if (record.pending.length > 0) record.look().catch(() => {});
    this.#resume();
  }

  /** @param {unknown} cause */
  #onUnsaved(cause) {
    this.#warnOnce('storage', new ShardlineError('resource-exhausted', 'The browser does not let increments be stored: they are '
      + 'kept in memory until it does, and those that are not sent by then are lost when the page is closed.', { cause }));
    if (this.#saveTimer !== undefined || this.#ending.signal.aborted) return;
    this.#saveTimer = setTimeout(() => void this.#save(), this.#storage.pauseMs + 1);
    /** @type {any} */ (this.#saveTimer).unref?.();
  }

  /** Moves what is in memory to the storage, if it works again. */
  async #save() {
    const unsaved = [...this.#counters.values()].flatMap(({ records }) => records).filter(({ isUnsaved }) => isUnsaved);
    // The first one tries whether it works.
    for (const record of unsaved) {
      await record.look().catch(() => {});
      if (record.isUnsaved) break;
    }
    this.#saveTimer = undefined;
    const cause = 'The storage has failed again.';
    if (unsaved.some(({ isUnsaved }) => isUnsaved)) this.#onUnsaved(cause);
    else this.#told.delete('storage');
    this.#resume();
  }

  #tidyLater() {
    if (this.#tidyTimer !== undefined || this.#ending.signal.aborted) return;
    this.#tidyTimer = setTimeout(() => void this.#tidy(), TIDY_MS);
    /** @type {any} */ (this.#tidyTimer).unref?.();
  }

  async #tidy() {
    this.#tidyTimer = undefined;
    for (const record of this.#records) {
      if (record.isStored && record.isDone) await record.tidy().catch(() => {});
    }
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
    if (!isLeaving) this.#resume();
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
    this.#learning = this.#learn();
    this.#onVisible();
  }

  #onVisible() {
    this.#channel.ping();
    if (this.#users.current === undefined || this.#othersWait) void this.#askUser();
  }
}
