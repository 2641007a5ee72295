// What the tabs that share a storage tell each other.
//
//   news     a record has changed, or this is how it ended
//   send     to the leader: send this record, in so many milliseconds at the latest
//   ping     to the leader: are you there?
//   here     the leader's answer to both
//   end      how did the record of this epoch end?
//   claimed  somebody here was told that so much of this entry has failed
//
// A tab that waits for the leader pings it every second. After three pings without an answer the leader counts as silent. A leader that
// is hidden lets the visible tab lead that pings it. Every five seconds a tab that knows of anything that is not settled looks for
// itself: news may have been missed, and whoever has told of it may be gone. The leader keeps this watch as well, since it may lose the
// lead at any time, without hearing of it: while it is frozen.

import { add } from '../totals.js';

/**
 * @typedef {import('./stored_text.js').Place} Place
 * @typedef {import('./users.js').User} User
 * @typedef {import('../totals.js').Total} Total
 *
 * @typedef {object} News What tabs tell each other about a record.
 * @property {Place} place
 * @property {import('./records.js').CounterArguments} counter
 * @property {import('./record_state.js').Seen} seen
 *
 * @typedef {object} Host What the channel needs of its outbox.
 * @property {() => User | undefined} user Tabs of other users have leaders of their own.
 * @property {() => boolean} leads
 * @property {() => boolean} isHidden
 * @property {() => boolean} isWaiting Whether this tab knows of anything that is not settled.
 * @property {(news: News) => void} onNews
 * @property {(place: Place, counter: News['counter'], ms: number) => void} onSend
 * @property {() => void} onSilence Called when the leader does not answer.
 * @property {() => void} onVisibleFollower Called when this tab leads, is hidden, and a visible one waits.
 * @property {() => void} onLongWait Called every five seconds while this tab waits.
 *
 * @typedef {{type: 'news', news: News, leads: boolean} | {type: 'send', place: Place, counter: News['counter'], ms: number, hidden: boolean}
 *   | {type: 'ping', hidden: boolean} | {type: 'here'} | {type: 'end', place: Place, epoch: string}
 *   | {type: 'claimed', epoch: string, ticket: number, claimed: Total}} Message
 */

/** What concerns records, whoever is signed in by now; the rest is for tabs of the same user, which have one leader. */
const FOR_ALL = ['news', 'end', 'claimed'];
const PING_MS = 1000;
const MOST_UNANSWERED = 3;
const LONG_WAIT_PINGS = 5;
/** How long to wait for others to tell how a record ended. */
const END_MS = 3000;
/** How many records that are gone are remembered, for tabs that have missed how they ended. */
const MOST_ENDS = 200;

export class TabChannel {
  #Channel;
  #name;
  #host;
  /** @type {BroadcastChannel | undefined} */
  #channel;
  /** What waits until it is open: while the page is in the browser's cache, nobody would hear it. @type {(() => void)[]} */
  #onOpen = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #unanswered = 0;
  #pings = 0;
  /** @type {Map<string, Set<() => void>>} Who waits for news of an epoch. */
  #asking = new Map();
  /** Of how much of an entry somebody in another tab was told that it has failed. @type {Map<string, Total>} */
  #claimed = new Map();
  /** @type {Map<string, News>} How records ended, by epoch. */
  #ends = new Map();

  /**
   * @param {(new (name: string) => BroadcastChannel) | undefined} Channel
   * @param {string} name
   * @param {Host} host
   */
  constructor(Channel, name, host) {
    this.#Channel = Channel;
    this.#name = name;
    this.#host = host;
    this.open();
  }

  open() {
    if (!this.#Channel || this.#channel) return;
    try {
      this.#channel = new this.#Channel(this.#name);
      this.#channel.onmessage = ({ data: { user, message } }) => {
        if (user === this.#host.user() || FOR_ALL.includes(message.type)) this.#onMessage(message, user === this.#host.user());
      };
    } catch {
      // Firefox throws where cookies are blocked. There the tabs share no storage either.
      this.#Channel = undefined;
    }
    for (const go of this.#onOpen.splice(0)) go();
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#channel?.close();
    this.#channel = undefined;
  }

  /** @param {News} news */
  tell(news) {
    this.#remember(news);
    if (news.seen.entries.length > 0) this.watch();
    this.#post({ type: 'news', news, leads: this.#host.leads() });
  }

  /** What was seen last of a record that was put back at a place and is gone. @param {Place} place */
  endAt({ side }) {
    return [...this.#ends.values()].findLast(({ place, seen }) => place.side === side && seen.upTo !== undefined)?.seen;
  }

  /** @param {News} news */
  #remember(news) {
    if (news.seen.entries.length > 0) return;
    this.#ends.set(news.seen.epoch, news);
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > MOST_ENDS && oldest !== undefined) this.#ends.delete(oldest);
  }

  /**
   * Asks the leader to send a record.
   * @param {Place} place
   * @param {News['counter']} counter
   * @param {number} ms
   */
  send(place, counter, ms) {
    this.#post({ type: 'send', place, counter, ms, hidden: this.#host.isHidden() });
    this.watch();
  }

  /** Asks whether the leader is there. */
  ping() {
    if (this.#host.leads()) return;
    this.#post({ type: 'ping', hidden: this.#host.isHidden() });
  }

  /**
   * Resolves when somebody has told how the record of an epoch ended, or nobody seems to know.
   * @param {Place} place
   * @param {string} epoch
   * @returns {Promise<void>}
   */
  async askForEnd(place, epoch) {
    if (!this.#Channel) return;
    if (!this.#channel) await new Promise((resolve) => this.#onOpen.push(() => resolve(undefined)));
    this.#post({ type: 'end', place, epoch });
    await new Promise((resolve) => {
      const waiting = this.#asking.get(epoch) ?? new Set();
      this.#asking.set(epoch, waiting);
      const end = () => {
        clearTimeout(timer);
        waiting.delete(end);
        if (waiting.size === 0) this.#asking.delete(epoch);
        resolve(undefined);
      };
      const timer = setTimeout(end, END_MS);
      waiting.add(end);
    });
  }

  /**
   * @param {string} epoch
   * @param {number} ticket
   * @param {Total} claimed
   */
  tellClaimed(epoch, ticket, claimed) {
    this.#post({ type: 'claimed', epoch, ticket, claimed });
  }

  /**
   * Of how much of an entry somebody in another tab was told that it has failed.
   * @param {string} epoch
   * @param {number} ticket
   * @param {number} ms How long to wait for that.
   * @returns {Promise<Total>}
   */
  async claimed(epoch, ticket, ms) {
    if (!this.#channel) return 0;
    await new Promise((resolve) => setTimeout(resolve, ms));
    const name = `${epoch} ${ticket}`;
    const claimed = this.#claimed.get(name) ?? 0;
    this.#claimed.delete(name);
    return claimed;
  }

  /** @param {Message} message */
  #post(message) {
    this.#channel?.postMessage({ user: this.#host.user(), message });
  }

  /** Sees to it that what is not settled yet ends, one way or the other. */
  watch() {
    if (!this.#channel) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#host.leads() || !this.#host.isWaiting()) this.#unanswered = 0;
      if (!this.#host.isWaiting()) return;
      this.#pings += 1;
      if (!this.#host.leads()) this.#askLeader();
      if (this.#pings % LONG_WAIT_PINGS === 0) this.#host.onLongWait();
      this.watch();
    }, PING_MS);
  }

  #askLeader() {
    this.#unanswered += 1;
    if (this.#unanswered <= MOST_UNANSWERED) return this.ping();
    this.#unanswered = 0;
    this.#host.onSilence();
  }

  /**
   * @param {Message} message
   * @param {boolean} isSameUser Whether whoever tells it has the same user.
   */
  #onMessage(message, isSameUser) {
    const { leads } = this.#host;
    switch (message.type) {
      case 'news':
        if (message.leads && isSameUser) this.#unanswered = 0;
        this.#remember(message.news);
        this.#host.onNews(message.news);
        for (const end of [...this.#asking.get(message.news.seen.epoch) ?? []]) end();
        break;
      case 'send':
      case 'ping':
        if (!leads()) break;
        this.#post({ type: 'here' });
        if (message.type === 'send') this.#host.onSend(message.place, message.counter, message.ms);
        if (!message.hidden && this.#host.isHidden()) this.#host.onVisibleFollower();
        break;
      case 'here':
        this.#unanswered = 0;
        break;
      case 'end': {
        const news = this.#ends.get(message.epoch);
        if (news) this.tell(news);
        break;
      }
      case 'claimed': {
        if (this.#claimed.size > 1000) this.#claimed.clear();
        const name = `${message.epoch} ${message.ticket}`;
        this.#claimed.set(name, add(this.#claimed.get(name) ?? 0, message.claimed));
        break;
      }
    }
  }
}
