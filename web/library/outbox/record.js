// The increments of one counter and one user: how they are stored, what of them is settled, and who waits for it. What each step
// means for the entries is decided in the core (src/counter/delivery_queue.h).
//
// The record is in the storage, and as it was last seen also in memory (`#seen`). From there it goes on when the storage
// fails, and from there it is put back when the storage has been cleared:
//
//   the storage holds                     the next step starts from
//   the record that was seen, or newer    what is stored
//   an older copy of it                   what was seen
//   nothing, and nobody here waits        nothing: it was settled, and settled records go
//   nothing, or another epoch, and        what is stored. What was seen is lost: after the other tabs have been asked whether it was
//   somebody here waits                   settled, it is put back as a record of its own (`onLost`)
//   anything, and the last step could     what was seen; unless another tab has changed what is stored since: then what was seen
//   not be stored                         is lost in the same manner
//
// Nothing is counted twice by that: batches keep their ids, and the ledger tells which of them it has. When it has gone on with
// batches that this record does not know, its entries end as outcome-unknown.

import { ShardlineError } from '../errors.js';
import { sum } from './amounts.js';
import { memoryStorage, PatientStorage } from './storage.js';
import { drawId, readStored, UNREADABLE } from './stored_text.js';

/**
 * @typedef {import('./amounts.js').Amount} Amount
 * @typedef {import('./stored_text.js').Stored} Stored
 * @typedef {{code: import('../errors.js').ErrorCode, message: string, status: number}} PlainError
 *
 * @typedef {object} View What the core says of the entries. See src/api/delivery_api.h.
 * @property {string} state
 * @property {number} settled
 * @property {{ticket: number, error: PlainError}[]} failures
 * @property {Amount[]} entries
 * @property {number[]} [tickets]
 * @property {any} [batch] What is ready to be sent, or in flight.
 *
 * @typedef {Pick<Stored, 'epoch' | 'version' | 'by' | 'upTo'> & View} Seen
 *
 * @typedef {{view: View, seen: Seen | undefined, text: string | undefined, isChanged: boolean}} Taken What a step has led to.
 *
 * @typedef {object} Waiter An increment that was asked for here.
 * @property {string} epoch
 * @property {number} version As of which it is in the record.
 * @property {number} first
 * @property {number} last
 * @property {Amount} amount
 * @property {boolean} [isUnsaved] Whether it is in memory only.
 * @property {() => void} resolve
 * @property {(error: unknown) => void} reject
 *
 * @typedef {Pick<Waiter, 'amount' | 'resolve' | 'reject'>} Asked
 * @typedef {{key: string, user: import('./users.js').User, side?: string}} Place
 *
 * @typedef {object} News What tabs tell each other about a record.
 * @property {Place} place
 * @property {object} counter
 * @property {Seen} seen
 *
 * @typedef {object} Setting What a record needs of its outbox.
 * @property {import('../connection.js').Connection} connection
 * @property {import('./storage.js').PatientStorage} storage
 * @property {() => string} page The name of this page, for batches that it has prepared.
 * @property {(news: News) => void} tell Tells the other tabs.
 * @property {(epoch: string) => Seen | undefined} past What was seen last of a record that is gone.
 * @property {(place: Place, epoch: string) => Promise<void>} askOthers Ends when other tabs have told what they know of an epoch.
 * @property {(cause: unknown) => void} onUnsaved Called when the storage has failed.
 * @property {(record: StoredRecord, epoch: string, ticket: number, amount: Amount, error: ShardlineError) => void} onUnclaimed
 *   Called when an increment has failed that nobody here waits for.
 * @property {(epoch: string, ticket: number) => void} onClaimed Called when somebody here was told of a failure that another tab has met.
 */

/** Removes the record if everything is settled. */
const TIDY = 'tidy';

export class StoredRecord {
  #setting;
  #storage;
  #onChange;
  #onLost;
  /** Of all changes that this object makes. */
  #by = drawId();
  /** @type {Seen | undefined} */
  #seen;
  /**
   * There while what was seen is not stored: what is, if that is known, and what was seen of it.
   * @type {{text: string | undefined, base: Seen | undefined} | undefined}
   */
  #unsaved;
  /** @type {{seen: Seen, isPrivate: boolean} | undefined} Lost in the step that is being taken. */
  #lost;
  /** @type {Waiter[]} */
  #waiters = [];
  /** Whether the storage has been given a change, and has not said that it is there. */
  #isBeingChanged = false;
  /** @type {Promise<unknown>} Steps are taken one after the other. */
  #steps = Promise.resolve();

  /**
   * @param {Setting} setting
   * @param {Place} place
   * @param {object} counter
   * @param {object} callbacks
   * @param {() => void} callbacks.onChange
   * @param {(lost: Seen, waiters: Waiter[], isPrivate: boolean) => void} callbacks.onLost `isPrivate`: no other tab has seen it.
   */
  constructor(setting, place, counter, { onChange, onLost }) {
    this.#setting = setting;
    this.#storage = setting.storage;
    this.#onChange = onChange;
    this.#onLost = onLost;
    this.place = place;
    this.id = idOf(place);
    /** Whether the storage has it, as far as is known. */
    this.isStored = false;
    this.counter = counter;
  }

  /** @returns {Amount[]} All that is not settled. */
  get entries() {
    return this.#seen?.entries ?? [];
  }

  /** What is not settled: the entries, and what has to be put back first. @returns {Amount[]} */
  get pending() {
    const lost = this.#waiters.filter(({ epoch }) => epoch !== this.#seen?.epoch);
    return [...this.entries, ...lost.map(({ amount }) => amount)];
  }

  /** What this page has made ready to be sent, and may be sent without being staged first. */
  get ready() {
    const batch = this.#isBeingChanged ? undefined : this.#seen?.batch;
    return batch?.sent ? undefined : batch;
  }

  get isWaitedFor() {
    return this.#waiters.length > 0;
  }

  /** Whether what it holds is lost with the page. */
  get isVolatile() {
    return this.#storage.volatile || this.#unsaved !== undefined;
  }

  /** Whether the storage lacks what was seen. */
  get isUnsaved() {
    return this.#unsaved !== undefined;
  }

  /** For `isSettled`: the last increment so far. */
  get last() {
    const { epoch, settled, entries } = this.#seen ?? { epoch: '', settled: 0, entries: [] };
    return { epoch, ticket: settled + entries.length, waiters: [...this.#waiters] };
  }

  /** @param {StoredRecord['last']} last */
  isSettled({ epoch, ticket, waiters }) {
    const isWaiting = waiters.some((waiter) => this.#waiters.includes(waiter));
    return !isWaiting && (this.#seen?.epoch !== epoch || this.#seen.settled >= ticket);
  }

  /**
   * Stores increments.
   * @param {object} counter
   * @param {{clientId: string | null, maxDelta: Amount | null}} bounds
   * @param {Asked[]} asked
   * @param {() => void} onTaken Called when `entries` has them.
   */
  async add(counter, bounds, asked, onTaken) {
    this.counter = counter;
    await this.#step('queue.add', { ...bounds, deltas: asked.map(({ amount }) => amount) }, {
      onTaken: ({ tickets = [] }, { epoch, version }) => {
        asked.forEach((each, i) => {
          this.#waiters.push({ ...each, epoch, version, isUnsaved: this.isUnsaved, first: tickets[2 * i] ?? 0, last: tickets[2 * i + 1] ?? 0 });
        });
        onTaken();
      },
    });
  }

  get isDone() {
    return this.pending.length === 0 && !this.isWaitedFor && !this.isUnsaved;
  }

  /**
   * Takes in what has been read from the storage. Rejects with `data-loss` if it cannot be read.
   * @param {string} text
   */
  async take(text) {
    const stored = readStored(text);
    if (!stored || this.#seen) return;
    const view = this.#setting.connection.runNow('queue.view', { state: stored.state });
    const { epoch, version, by, upTo, counter } = stored;
    this.#seen = { ...view, epoch, version, by, upTo };
    this.isStored = true;
    this.counter = counter;
    this.#onChange();
  }

  /** Learns what is stored. */
  async look() {
    await this.#step('queue.view', {});
  }

  /** Removes it from the storage, if everything is settled. */
  async tidy() {
    if (this.isDone) await this.#step(TIDY, {});
  }

  /** What is to be sent now; from now on any tab may send it. @returns {Promise<any>} */
  async stage() {
    return (await this.#step('queue.stage', {}, { durable: true })).batch;
  }

  /**
   * @param {string} batch
   * @param {object} outcome What counter.deliver has returned.
   */
  async settle(batch, outcome) {
    await this.#step('queue.settle', { batch, outcome });
  }

  /**
   * Puts back what was lost, unless another tab has done so.
   * @param {Seen} lost
   * @param {Waiter[]} waiters
   * @param {object} counter
   * @param {{clientId: string | null, maxDelta: Amount | null}} bounds
   */
  async putBack(lost, waiters, counter, bounds) {
    const epoch = `${lost.epoch}+`;
    this.counter = counter;
    const moved = waiters.map((waiter) => ({ ...waiter, epoch }));
    this.#waiters.push(...moved);
    const past = this.#setting.past(epoch);
    let upTo = past?.upTo;
    if (!past) {
      await this.#step('queue.view', {}, {
        start: { ...lost, epoch, upTo: lost.version }, durable: true,
        onTaken: (_view, seen) => {
          upTo = seen.upTo;
        },
      });
    }
    const missing = moved.filter(({ version }) => version > (upTo ?? 0));
    this.#waiters = this.#waiters.filter((waiter) => !missing.includes(waiter));
    if (missing.length > 0) await this.add(counter, bounds, missing, () => {});
    const seen = past ?? this.#seen;
    if (seen) this.#settle(seen);
    this.#onChange();
  }

  /**
   * Takes in what another tab tells.
   * @param {News} news
   */
  hear({ seen, counter }) {
    const mine = this.#seen;
    const news = { ...seen, batch: undefined };
    const isNewer = mine?.epoch === seen.epoch ? seen.version > mine.version : !this.#isWaitingIn(mine?.epoch);
    if (isNewer && !this.#unsaved) {
      // What another page has made ready is not this one's to send.
      this.#seen = news;
      this.counter = counter;
    }
    this.#settle(news);
    this.#onChange();
  }

  /** @returns {News | undefined} */
  news() {
    const { place, counter } = this;
    return this.#seen && !this.#unsaved ? { place, counter, seen: this.#seen } : undefined;
  }

  /** Keeps what cannot be read by another key, for whoever can. */
  async setAside() {
    /** @type {string | undefined} */
    let unreadable;
    await this.#storage.update(this.id, (text) => {
      try {
        this.#check(text);
        return text; // Somebody was faster.
      } catch {
        unreadable = text;
        return undefined;
      }
    }, { durable: true });
    if (unreadable === undefined) return;
    await this.#storage.update(`${UNREADABLE}${Date.now()} ${this.id}`, () => unreadable, { durable: false });
  }

  /** From now on only in memory: what is stored can neither be read nor kept elsewhere. */
  forsake() {
    this.#storage = new PatientStorage(memoryStorage());
    this.#unsaved = undefined;
  }

  /** @param {(epoch: string) => unknown} makeError */
  rejectAll(makeError) {
    for (const { reject, epoch } of this.#waiters.splice(0)) reject(makeError(epoch));
  }

  /** @param {string | undefined} epoch */
  #isWaitingIn(epoch) {
    return this.#waiters.some((waiter) => waiter.epoch === epoch);
  }

  /**
   * @typedef {{durable?: boolean, start?: Seen, onTaken?: (view: View, seen: Seen) => void}} StepOptions `start`: what to begin with
   *   if nothing is stored.
   *
   * @param {string} name Of the core's operation.
   * @param {object} args
   * @param {StepOptions} [options]
   * @returns {Promise<View>}
   */
  #step(name, args, options = {}) {
    const step = this.#steps.then(() => this.#take(name, args, options));
    this.#steps = step.catch(() => {});
    return step;
  }

  /**
   * @param {string} name
   * @param {object} args
   * @param {StepOptions} options
   * @returns {Promise<View>}
   */
  async #take(name, args, { durable = false, start, onTaken }) {
    /** @type {string | undefined} */
    let before;
    /** @type {Taken | undefined} */
    let taken;
    const change = (/** @type {string | undefined} */ text) => {
      before = text;
      this.#isBeingChanged = true;
      taken = this.#apply(name, args, this.#begin(text) ?? start);
      return taken.text;
    };
    const wasUnsaved = this.#unsaved !== undefined;
    try {
      await this.#storage.update(this.id, change, { durable });
      this.#unsaved = undefined;
      this.isStored = taken?.text !== undefined;
    } catch (error) {
      this.#isBeingChanged = false;
      if (error instanceof ShardlineError) throw error;
      // It may be stored or not. Here it goes on as if it were; if it is not, the storage will be told again.
      // Unless another tab's version is there instead.
      const { epoch, version, by } = this.#seen ?? {};
      const isVersion = taken?.seen?.epoch === epoch && taken?.seen?.version === version;
      if (isVersion && taken?.isChanged && by !== this.#by) taken = undefined;
      this.#unsaved ??= taken ? { text: before, base: undefined } : { text: undefined, base: this.#seen };
      this.#setting.onUnsaved(error);
    }
    // What is stored was not seen just now: what was made ready there must stay as it is, as other tabs may have sent it.
    const { view, seen, isChanged } = taken ?? this.#apply(name, { page: drawId(), ...args }, this.#seen ?? start);
    const previous = this.#seen;
    this.#seen = seen;
    this.#isBeingChanged = false;
    if (!this.#unsaved && !this.#lost) for (const waiter of this.#waiters) waiter.isUnsaved = false;
    if (seen) {
      onTaken?.(view, seen);
      if ((isChanged || wasUnsaved) && !this.#unsaved) this.#setting.tell({ place: this.place, counter: this.counter, seen });
      this.#settle(seen, name === 'queue.settle' ? previous : undefined);
    }
    this.#onChange();
    if (this.#lost) void this.#recover(this.#lost);
    return view;
  }

  /**
   * What the next step starts from: see the table above.
   * @param {string | undefined} text What is stored.
   * @returns {Pick<Stored, 'epoch' | 'version' | 'by' | 'state' | 'upTo'> | undefined}
   */
  #begin(text) {
    const stored = readStored(text);
    const seen = this.#seen;
    this.#lost = undefined;
    if (this.#unsaved && seen) {
      const { text: known, base } = this.#unsaved;
      const isOurs = !stored || (text === known) || (stored.epoch === seen.epoch
        && (stored.by === this.#by || (stored.version === base?.version && stored.by === base.by)));
      if (isOurs) return seen;
      this.#lost = { seen, isPrivate: true };
      return stored;
    }
    if (!seen) return stored;
    if (stored?.epoch === seen.epoch) return stored.version >= seen.version ? stored : seen;
    if (this.#isWaitingIn(seen.epoch)) this.#lost = { seen, isPrivate: false };
    return stored;
  }

  /**
   * @param {string} name
   * @param {object} args
   * @param {Pick<Stored, 'epoch' | 'version' | 'by' | 'state' | 'upTo'>} [base]
   * @returns {Taken}
   */
  #apply(name, args, base) {
    const isNew = base === undefined;
    if (isNew && name !== 'queue.add') {
      const settled = this.entries.length === 0 && !this.#lost ? this.#seen : undefined;
      return { view: { state: '', settled: 0, failures: [], entries: [] }, seen: settled, text: undefined, isChanged: false };
    }
    // The ledger of a record that was settled is gone on with.
    const state = isNew && !this.#lost && this.entries.length === 0 ? this.#seen?.state : base?.state;
    const view = this.#setting.connection.runNow(name === TIDY ? 'queue.view' : name, {
      state: state ?? null,
      ...(isNew && state !== undefined ? { revive: true } : {}),
      page: this.#setting.page(),
      now: this.#setting.connection.now(),
      ...args,
    });
    const isChanged = view.state !== base?.state;
    const head = {
      epoch: base?.epoch ?? drawId(),
      version: (base?.version ?? 0) + (isChanged ? 1 : 0),
      by: isChanged || !base ? this.#by : base.by,
      ...(base?.upTo === undefined ? {} : { upTo: base.upTo }),
    };
    /** @type {Stored} */
    const stored = { ...head, state: view.state, ...this.place, counter: this.counter };
    const { tickets: _, ...rest } = view;
    if (this.#seen?.state === view.state) rest.batch ??= this.#seen?.batch;
    return { view, seen: { ...rest, ...head }, text: name === TIDY && view.entries.length === 0 ? undefined : JSON.stringify(stored), isChanged };
  }

  /** @param {string | undefined} text */
  #check(text) {
    const stored = readStored(text);
    if (stored) this.#setting.connection.runNow('queue.view', { state: stored.state });
  }

  /** @param {{seen: Seen, isPrivate: boolean}} lost */
  async #recover({ seen, isPrivate }) {
    this.#lost = undefined;
    if (!isPrivate) await this.#setting.askOthers(this.place, seen.epoch);
    // In a record that goes on, those who were seen by others go on waiting.
    const isLeft = (/** @type {Waiter} */ { epoch, isUnsaved }) => epoch === seen.epoch && (isUnsaved || !isPrivate);
    const waiters = this.#waiters.filter(isLeft);
    this.#waiters = this.#waiters.filter((waiter) => !isLeft(waiter));
    if (waiters.length > 0) this.#onLost(seen, waiters, isPrivate);
  }

  /**
   * Tells those who wait.
   * @param {Seen} seen
   * @param {Seen} [before] What was seen before it was settled here, so that what nobody waits for is told here.
   */
  #settle(seen, before) {
    const { epoch, settled, failures } = seen;
    // Of what is not stored, others know nothing: their tickets are not ours.
    const isTheirs = seen !== this.#seen || this.#lost !== undefined;
    const isDone = (/** @type {Waiter} */ waiter) => waiter.epoch === epoch && waiter.last <= settled && !(isTheirs && waiter.isUnsaved);
    const done = this.#waiters.filter(isDone);
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter));
    for (const { first, last, resolve, reject } of done) {
      const failure = failures.find(({ ticket }) => ticket >= first && ticket <= last);
      if (failure) reject(toError(failure.error));
      else resolve();
      if (failure && !before) this.#setting.onClaimed(epoch, failure.ticket);
    }
    if (before?.epoch !== epoch) return;
    for (const { ticket, error } of failures) {
      const amount = before.entries[ticket - before.settled - 1];
      const isClaimed = done.some(({ first, last }) => ticket >= first && ticket <= last);
      if (amount && !isClaimed) this.#setting.onUnclaimed(this, epoch, ticket, amount, toError(error));
    }
  }
}

/** @param {Place} place */
export function idOf({ key, user, side }) {
  return JSON.stringify(side === undefined ? [key, user] : [key, user, side]);
}

/** @param {PlainError} error */
function toError({ code, message, status }) {
  return new ShardlineError(code, message, { status });
}

/**
 * What is told of increments that nobody waits for.
 * @param {any} counter
 * @param {Amount} amount
 * @param {ShardlineError} cause
 */
export function unclaimedError(counter, amount, cause) {
  return new ShardlineError(cause.code, `An increment of ${counter.path} by ${sum([amount])} was not counted: ${cause.message}`,
    { status: cause.status, cause });
}
