// A record as it is in the storage and, as it was last seen, in memory; and the steps that change it. When the storage fails, the
// record goes on in memory; when it has been cleared, what was seen is told as lost. See start_of_step.js.
//
// Copies of a record may come about: a storage fails after it has stored, and its page goes on in memory, while another tab goes on from
// what stands in the storage; or data are cleared, and several tabs put back what each of them has seen. That nothing is counted twice
// then rests on two rules. All copies go under one client id, and an increment that others may have seen never leaves it: so whoever
// sends second finds that the ledger has moved, and its entries end as outcome-unknown (src/delivery/delivery_queue.h). And nobody else
// goes under this id: a record that is begun draws one. Only who has removed a settled record from the storage, and has been told that
// it is gone, begins the next one with its ledger (`#inherited`); there is one such page at the most, as a record is removed once.
// An epoch, likewise, names one line of history: what is put back, or stored anew when nobody knows what became of it, gets another.

import { ShardlineError } from '../errors.js';
import { startOfStep } from './start_of_step.js';
import { memoryStorage, PatientStorage } from './storage.js';
import { drawId, isUnreadable, readStored, setAside } from './stored_text.js';

/**
 * @typedef {import('./stored_text.js').Stored} Stored
 * @typedef {import('./start_of_step.js').Start} Start
 *
 * @typedef {import('../errors.js').PlainError} PlainError
 *
 * @typedef {object} View What the core says of the entries. See src/api/delivery_api.h.
 * @property {string} state
 * @property {number} settled
 * @property {{ticket: number, error: PlainError}[]} failures
 * @property {import('./amounts.js').Amount[]} entries
 * @property {number[]} [tickets]
 * @property {boolean} [inDoubt] Whether any page may have sent the first of them.
 * @property {any} [batch] What is ready to be sent, or in flight.
 *
 * @typedef {Pick<Stored, 'epoch' | 'version' | 'by' | 'upTo'> & View} Seen
 *
 * @typedef {object} Taken What a step has led to.
 * @property {View} view
 * @property {Seen | undefined} seen
 * @property {string | undefined} text What is to be stored.
 * @property {boolean} isChanged
 *
 * @typedef {object} Step One that has been taken.
 * @property {string} name
 * @property {View} view
 * @property {Seen | undefined} seen
 * @property {Seen | undefined} previous What was seen before it.
 * @property {boolean} isNews Whether other tabs have to be told.
 * @property {boolean} isLost Whether what was seen before is lost.
 *
 * @typedef {object} Lost
 * @property {Seen} seen
 * @property {boolean} isPrivate Whether a part of it was never stored, so that no other tab has seen it.
 * @property {boolean} isThere Whether the record goes on in the storage, with what was stored of it.
 *
 * @typedef {object} StepOptions
 * @property {boolean} [durable]
 * @property {Seen} [start] What to begin with if nothing is stored.
 * @property {(view: View, seen: Seen) => void} [onTaken]
 */

/** A step: removes the record if everything is settled. */
export const TIDY = 'tidy';

export class RecordState {
  #setting;
  #storage;
  #id;
  #describe;
  #isWaitedFor;
  #onStep;
  #onLost;
  /** Of all changes that this object makes. */
  #by = drawId();
  /** @type {import('./start_of_step.js').Unsaved | undefined} There while what was seen is not stored. */
  #unsaved;
  /** @type {Lost | undefined} Lost in the step that is being taken. */
  #lost;
  /** The last record that was removed here: the next one that is begun here goes on with its ledger. @type {string | undefined} */
  #inherited;
  /** The epoch that was begun here. @type {string | undefined} */
  #begun;
  /** @type {Promise<unknown>} Steps are taken one after the other. */
  #steps = Promise.resolve();
  /** How many steps are being taken, or wait for their turn. */
  stepsAhead = 0;
  /** @type {Seen | undefined} */
  seen;
  /** Whether the storage has been given a change, and has not said that it is there. */
  isBeingChanged = false;
  /** Whether the storage has the record, as far as is known. */
  isStored = false;

  /**
   * @param {import('./counter_outbox.js').Setting} setting
   * @param {string} id By which it is stored.
   * @param {object} callbacks
   * @param {() => Pick<Stored, 'key' | 'user' | 'side' | 'counter'>} callbacks.describe What stands beside the entries.
   * @param {(epoch: string | undefined) => boolean} callbacks.isWaitedFor Whether anybody here waits for a record of this epoch.
   * @param {(lost: Lost) => void} callbacks.onLost Called before anybody waits for what the same step has begun.
   * @param {(step: Step) => void} callbacks.onStep
   */
  constructor(setting, id, { describe, isWaitedFor, onLost, onStep }) {
    this.#setting = setting;
    this.#storage = setting.storage;
    this.#id = id;
    this.#describe = describe;
    this.#isWaitedFor = isWaitedFor;
    this.#onLost = onLost;
    this.#onStep = onStep;
  }

  /** Whether what it holds is lost with the page. */
  get isVolatile() {
    return this.#storage.volatile || this.isUnsaved;
  }

  /** Whether the storage lacks what was seen. */
  get isUnsaved() {
    return this.#unsaved !== undefined;
  }

  /** Whether the record was begun here: then its ledger is gone on with, if it is removed here too. */
  get isBegunHere() {
    return this.#begun !== undefined && this.#begun === this.seen?.epoch;
  }

  /**
   * Takes in what has been read from the storage. Throws `data-loss` if it cannot be read.
   * @param {Stored} stored
   */
  take(stored) {
    this.seen = this.#view(stored);
    this.isStored = true;
  }

  /** @param {Stored} stored @returns {Seen} */
  #view({ epoch, version, by, upTo, state }) {
    return { ...this.#setting.connection.runNow('queue.view', { state }), epoch, version, by, upTo };
  }

  /**
   * Takes one atomic step in the storage.
   * @param {string} name Of the core's operation.
   * @param {object} args
   * @param {StepOptions} [options]
   * @returns {Promise<View>}
   */
  step(name, args, options = {}) {
    this.stepsAhead += 1;
    const step = this.#steps.then(() => this.#takeStep(name, args, options)).finally(() => {
      this.stepsAhead -= 1;
    });
    this.#steps = step.catch(() => {});
    return step;
  }

  /**
   * @param {string} name
   * @param {object} args
   * @param {StepOptions} options
   * @returns {Promise<View>}
   */
  async #takeStep(name, args, { durable = false, start, onTaken }) {
    /** @type {string | undefined} */
    let before;
    /** @type {Taken | undefined} */
    let taken;
    this.#lost = undefined;
    const change = (/** @type {string | undefined} */ text) => {
      before = text;
      this.isBeingChanged = true;
      taken = this.#apply(name, args, this.#begin(text) ?? (start && { ...start, by: this.#by }));
      return taken.text;
    };
    const wasUnsaved = this.#unsaved !== undefined;
    try {
      await this.#storage.update(this.#id, change, { durable });
      this.#unsaved = undefined;
      this.isStored = taken?.text !== undefined;
      if (before !== undefined && !this.isStored) this.#inherited = taken?.view.state;
    } catch (error) {
      this.isBeingChanged = false;
      if (error instanceof ShardlineError) throw error;
      // It may be stored or not. Here it goes on as if it were; if it is not, the storage will be told again. What other tabs tell
      // meanwhile is heard only afterwards.
      if (this.#lost) this.#unsaved = undefined;
      this.#unsaved ??= taken ? { text: before, base: undefined } : { text: undefined, base: this.seen };
      this.#setting.onUnsaved(error);
    }
    // What is stored was not seen just now: what was made ready there must stay as it is, as other tabs may have sent it.
    const { view, seen, isChanged } = taken ?? this.#apply(name, { page: drawId(), ...args }, this.seen ?? start);
    const previous = this.seen;
    const lost = this.#lost;
    this.seen = seen;
    this.isBeingChanged = false;
    if (lost) this.#onLost(lost);
    if (seen) onTaken?.(view, seen);
    const isPutBack = before === undefined && taken?.text !== undefined;
    const isNews = (isChanged || wasUnsaved || isPutBack) && !this.isUnsaved;
    this.#onStep({ name, view, seen, previous, isNews, isLost: lost !== undefined });
    return view;
  }

  /**
   * What the next step starts from.
   * @param {string | undefined} text What is stored.
   */
  #begin(text) {
    const seen = this.seen;
    const unsaved = this.#unsaved;
    const isWaitedFor = this.#isWaitedFor(seen?.epoch);
    const stored = readStored(text);
    const { start, isLost } = startOfStep({ text, stored, seen, unsaved, by: this.#by, isWaitedFor });
    // It may have been stored after all, and another tab have gone on with it before data were cleared. These two must not be taken for
    // one.
    if (unsaved && !stored && start) return { ...start, epoch: this.#drawEpoch() };
    if (isLost && seen) this.#lost = { seen, isPrivate: unsaved !== undefined, isThere: stored?.epoch === seen.epoch };
    return start;
  }

  #drawEpoch() {
    this.#begun = drawId();
    return this.#begun;
  }

  /**
   * @param {string} name
   * @param {object} args
   * @param {import('./start_of_step.js').Start} [base]
   * @returns {Taken}
   */
  #apply(name, args, base) {
    const isNew = base === undefined;
    if (isNew && name !== 'queue.add') {
      const settled = this.seen?.entries.length === 0 && !this.#lost ? this.seen : undefined;
      return { view: { state: '', settled: 0, failures: [], entries: [] }, seen: settled, text: undefined, isChanged: false };
    }
    const view = this.#setting.connection.runNow(name === TIDY ? 'queue.view' : name, {
      state: (isNew ? this.#inherited : base.state) ?? null,
      page: this.#setting.page(),
      now: Date.now(),
      serverNow: this.#setting.connection.serverNow(),
      ...args,
    });
    // From now on what is stored goes on with it.
    if (isNew) this.#inherited = undefined;
    const isChanged = view.state !== base?.state;
    const head = {
      epoch: base?.epoch ?? this.#drawEpoch(),
      version: (base?.version ?? 0) + (isChanged ? 1 : 0),
      by: isChanged || !base ? this.#by : base.by,
      ...(base?.upTo === undefined ? {} : { upTo: base.upTo }),
    };
    /** @type {Stored} */
    const stored = { ...head, state: view.state, ...this.#describe() };
    const { tickets: _, ...rest } = view;
    if (this.seen?.state === view.state) rest.batch ??= this.seen?.batch;
    return { view, seen: { ...rest, ...head }, text: name === TIDY && view.entries.length === 0 ? undefined : JSON.stringify(stored), isChanged };
  }

  /** Resolves when the steps that were asked for until now have been taken. */
  async settled() {
    await this.#steps;
  }

  /** Keeps what cannot be read by another key, for whoever can. */
  setAside() {
    return setAside(this.#storage, this.#id, (text) => {
      try {
        this.#setting.connection.runNow('queue.view', { state: readStored(text)?.state });
        return false;
      } catch (error) {
        return isUnreadable(error);
      }
    });
  }

  /** From now on only in memory: what is stored can neither be read nor kept elsewhere. */
  forsake() {
    this.#storage = new PatientStorage(memoryStorage());
    this.#unsaved = undefined;
  }
}
