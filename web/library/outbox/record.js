// The increments of one counter and one user: how they are stored, what of them is settled, and who waits for it. What each step
// means for the entries is decided in the core (src/delivery/delivery_queue.h).
//
// The record is in the storage, and as it was last seen also in memory (`#seen`). From there it goes on when the storage fails, and
// from there it is put back when the storage has been cleared: see start_of_step.js.

import { now } from '../clock.js';
import { fromPlain } from '../errors.js';
import { rest } from './amounts.js';
import { RecordState, TIDY } from './record_state.js';
import { Sender } from './sender.js';
import { drawId, idOf } from './stored_text.js';
import { Waiters } from './waiters.js';

/**
 * @typedef {import('./amounts.js').Amount} Amount
 * @typedef {import('./record_state.js').Seen} Seen
 * @typedef {import('./waiters.js').Waiter} Waiter
 * @typedef {Pick<Waiter, 'amount' | 'resolve' | 'reject'>} Asked
 * @typedef {import('./stored_text.js').Place} Place
 * @typedef {import('./tab_channel.js').News} News
 * @typedef {import('./records.js').Owner} Owner
 */

export class StoredRecord {
  #setting;
  #owner;
  #state;
  #onChange;
  #onLost;
  #waiters = new Waiters();

  /**
   * @param {import('./counter_outbox.js').Setting & import('./sender.js').Sending} setting
   * @param {Place} place
   * @param {Owner} owner
   * @param {object} callbacks
   * @param {(lost: Seen, waiters: Waiter[], isPrivate: boolean) => void} callbacks.onLost `isPrivate`: no other tab has seen it.
   */
  constructor(setting, place, owner, { onLost }) {
    this.#setting = setting;
    this.#owner = owner;
    this.#onChange = owner.onChange;
    this.#onLost = onLost;
    this.place = place;
    this.#state = new RecordState(setting, idOf(place), {
      describe: () => ({ ...this.place, counter: this.counter }),
      isWaitedFor: (epoch) => this.#waiters.has(epoch),
      onLost: (lost) => void this.#recover(lost),
      onStep: (step) => this.#onStep(step),
    });
    this.sender = new Sender(setting, this, owner.onChange);
  }

  /** The counter's options. */
  get counter() {
    return this.#owner.counter();
  }

  get knownShards() {
    return this.#owner.knownShards;
  }

  /** @returns {Amount[]} All that is not settled. */
  get entries() {
    return this.#seen?.entries ?? [];
  }

  /** What is not settled: the entries, and what has to be put back first. @returns {Amount[]} */
  get pending() {
    return [...this.entries, ...this.#lost.map(({ amount }) => amount)];
  }

  /** Those who wait for what has to be put back. */
  get #lost() {
    return this.#waiters.all.filter(({ epoch }) => epoch !== this.#seen?.epoch);
  }

  /** What this page has made ready to be sent, and may be sent without being staged first. */
  get ready() {
    const batch = this.#state.isBeingChanged ? undefined : this.#seen?.batch;
    return batch?.sent ? undefined : batch;
  }

  /** Whether a part of what is pending may have been counted by now. What is being stored just now others may see. */
  get isInDoubt() {
    return this.#seen?.inDoubt === true || this.#state.isBeingChanged || this.#lost.length > 0;
  }

  get isWaitedFor() {
    return this.#waiters.all.length > 0;
  }

  /** Whether what it holds is lost with the page. */
  get isVolatile() {
    return this.#state.isVolatile;
  }

  /** Whether the storage lacks what was seen. */
  get isUnsaved() {
    return this.#state.isUnsaved;
  }

  /** Whether the storage has it, as far as is known. */
  get isStored() {
    return this.#state.isStored;
  }

  /** Whether nothing is lost when it is forgotten here. */
  get isGone() {
    return this.isDone && !this.isStored && this.#state.stepsAhead === 0;
  }

  get #seen() {
    return this.#state.seen;
  }

  /** For `isSettled`: the last increment so far. */
  get last() {
    const { epoch, settled, entries } = this.#seen ?? { epoch: '', settled: 0, entries: [] };
    return { epoch, settled, ticket: settled + entries.length, waiters: [...this.#waiters.all] };
  }

  /** @param {StoredRecord['last']} last */
  isSettled({ epoch, ticket, waiters }) {
    const isWaiting = waiters.some((waiter) => this.#waiters.all.includes(waiter));
    return !isWaiting && (this.#seen?.epoch !== epoch || this.#seen.settled >= ticket);
  }

  /**
   * Stores increments.
   * @param {{clientId: string | null, maxDelta: Amount | null}} bounds
   * @param {Asked[]} asked
   * @param {() => void} onTaken Called when `entries` has them.
   */
  async add(bounds, asked, onTaken) {
    await this.#state.step('queue.add', { ...bounds, deltas: asked.map(({ amount }) => amount) }, {
      onTaken: ({ tickets = [] }, { epoch, version }) => {
        this.#waiters.add(asked.map((each, i) => (
          { ...each, epoch, version, isUnsaved: this.isUnsaved, first: tickets[2 * i] ?? 0, last: tickets[2 * i + 1] ?? 0 })));
        onTaken();
      },
    });
  }

  get isBegunHere() {
    return this.#state.isBegunHere;
  }

  get isDone() {
    return this.pending.length === 0 && !this.isWaitedFor && !this.isUnsaved;
  }

  /**
   * Takes in what has been read from the storage. Rejects with `data-loss` if its entries cannot be read.
   * @param {import('./stored_text.js').Stored} stored
   */
  async take(stored) {
    // News may have been missed, while the page was in the browser's cache for example; and what is just being stored may be in it.
    if (this.#seen || this.#state.isBeingChanged) return this.refresh();
    this.#state.take(stored);
    this.#onChange();
  }

  /** Learns what is stored. */
  async refresh() {
    await this.#state.step('queue.view', {});
  }

  /** Resolves when what is being stored just now is stored, and others were told of it. */
  idle() {
    return this.#state.settled();
  }

  /** Removes it from the storage, if everything is settled. */
  async tidy() {
    if (this.isDone) await this.#state.step(TIDY, {});
  }

  /** What is to be sent now; from now on any tab may send it. @returns {Promise<any>} */
  async stage() {
    const asked = now();
    const { batch } = await this.#state.step('queue.stage', {}, { durable: true });
    // The device may have slept while it was being stored.
    if (batch) batch.ageMs += Math.ceil(now() - asked);
    return batch;
  }

  /**
   * @param {string} batch
   * @param {object} outcome What counter.deliver has returned.
   */
  async settle(batch, outcome) {
    await this.#state.step('queue.settle', { batch, outcome: { ...outcome, putBack: this.place.side !== undefined } });
  }

  /**
   * Puts back what was lost, unless another tab has done so.
   * @param {Seen} lost
   * @param {Waiter[]} waiters
   * @returns {Promise<Waiter[]>} Those whose increments are not in what another tab has put back: it had seen less.
   */
  async putBack(lost, waiters) {
    this.#waiters.add(waiters);
    const moveTo = (/** @type {Seen} */ { epoch, upTo = 0 }) => {
      for (const waiter of waiters) if (waiter.version <= upTo) waiter.epoch = epoch;
    };
    const end = this.#setting.endAt(this.place);
    if (end) moveTo(end);
    else {
      await this.#state.step('queue.view', {}, {
        start: { ...lost, epoch: drawId(), upTo: lost.version }, durable: true, onTaken: (_view, seen) => moveTo(seen),
      });
    }
    const missing = this.#waiters.take((waiter) => waiters.includes(waiter) && waiter.epoch === lost.epoch);
    if (end) this.#settle(end, { isFromOtherTab: true });
    this.#onChange();
    return missing;
  }

  /**
   * Takes in what another tab tells.
   * @param {News} news
   */
  hear(news) {
    if (!this.#state.isBeingChanged) return this.#takeNews(news);
    this.#settle(news.seen, { isFromOtherTab: true });
    // It may be of what is just being stored here, too.
    void this.#state.settled().then(() => this.hear(news));
  }

  /** @param {News} news */
  #takeNews({ seen }) {
    const mine = this.#seen;
    // Its page may send what it has made ready at any time.
    const news = { ...seen, batch: undefined, inDoubt: seen.inDoubt === true || seen.batch !== undefined };
    const isNewer = mine?.epoch === seen.epoch ? seen.version > mine.version : !this.#waiters.has(mine?.epoch);
    if (isNewer && !this.isUnsaved) {
      // What another page has made ready is not this one's to send.
      this.#state.seen = news;
      // Whoever has stored it may be gone before it could remove it.
      this.#state.isStored = true;
    }
    this.#settle(news, { isFromOtherTab: this.#seen !== news });
    this.#onChange();
  }

  /** Keeps what cannot be read by another key, for whoever can, and begins anew: in memory, if it cannot be kept elsewhere. */
  async setAside() {
    await this.#state.setAside().then(() => this.refresh()).catch(() => this.#state.forsake());
  }

  /** @param {() => unknown} makeError */
  rejectAll(makeError) {
    for (const { reject } of this.#waiters.take(() => true)) reject(makeError());
  }

  /** @param {import('./record_state.js').Step} step */
  #onStep({ name, seen, previous, isNews, isLost }) {
    if (!this.isUnsaved) this.#waiters.markSaved();
    if (previous && seen && !isLost) this.#waiters.move(previous.epoch, seen.epoch);
    if (seen) {
      if (isNews) this.#setting.tell({ place: this.place, counter: this.counter, seen });
      this.#settle(seen, { isFromOtherTab: isLost, before: name === 'queue.settle' ? previous : undefined });
    }
    this.#onChange();
  }

  /** @param {import('./record_state.js').Lost} lost */
  async #recover({ seen, isPrivate, isThere }) {
    if (!isPrivate) await this.#setting.askOthers(this.place, seen.epoch);
    // Where the record goes on, those whose increments it has go on waiting for it.
    const waiters = this.#waiters.take(({ epoch, isUnsaved }) => epoch === seen.epoch && (!isThere || isUnsaved === true));
    if (waiters.length > 0) this.#onLost(seen, waiters, isPrivate);
  }

  /**
   * Tells those who wait.
   * @param {Seen} seen
   * @param {object} how
   * @param {boolean} how.isFromOtherTab Whether another tab has seen this.
   * @param {Seen} [how.before] What was seen before it was settled here, so that what nobody waits for is told here.
   */
  #settle(seen, { isFromOtherTab, before }) {
    const { epoch, failures } = seen;
    const told = this.#waiters.settle(seen, isFromOtherTab);
    if (!before) for (const [ticket, claimed] of told) this.#setting.onClaimed(epoch, ticket, claimed);
    if (before?.epoch !== epoch) return;
    for (const { ticket, error } of failures) {
      const amount = before.entries[ticket - before.settled - 1];
      const claimed = told.get(ticket) ?? 0;
      if (amount && rest(amount, claimed) !== 0) this.#setting.onUnclaimed(this, epoch, ticket, amount, claimed, fromPlain(error));
    }
  }
}
