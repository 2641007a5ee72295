// Sends the batches of one record, one after the other.

import { ShardlineError, fromPlain } from '../errors.js';

/**
 * @typedef {import('./record.js').StoredRecord} StoredRecord
 *
 * @typedef {object} Sending What a sender needs of its outbox.
 * @property {import('../connection.js').Connection} connection
 * @property {<T>(deliver: () => Promise<T>, isFirst: boolean) => Promise<T>} inTurn Waits until few enough others are being delivered;
 *   what somebody waits for here comes before what earlier pages have left.
 * @property {(record: StoredRecord) => boolean} maySend Whether this tab is the one that sends it, and its user is there.
 * @property {import('./users.js').Users} users
 * @property {import('./warnings.js').Warnings} warnings
 * @property {number} firstPauseMs The back-off: how long to wait after a delivery that has settled nothing, in which the core has
 *   tried several times already. Doubled each time.
 * @property {number} longestPauseMs
 */

export class Sender {
  #sending;
  #record;
  #onChange;
  /** @type {Promise<void> | undefined} */
  #delivering;
  #again = false;
  /** @type {{isSettled: () => boolean} | undefined} What is to be sent now; what is added later has its own time. */
  #target;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #dueAt = Infinity;
  #pauseMs = 0;
  #isStopped = false;
  /** Whether the token at hand was another user's. */
  #isWrongUser = false;
  /** @type {any} Being sent. */
  #inFlight;
  /** @type {Promise<void> | undefined} There while something is sent that has not been staged. */
  #early;
  /** @type {ShardlineError | undefined} Why the last attempt has settled nothing. */
  lastError;
  attempts = 0;
  aborted = 0;
  /** Grows when a batch begins to be sent, and when it is settled. */
  sends = 0;
  /** Whether a batch has been sent and is not settled. */
  isSending = false;

  /**
   * @param {Sending} sending
   * @param {StoredRecord} record
   * @param {() => void} onChange
   */
  constructor(sending, record, onChange) {
    this.#sending = sending;
    this.#record = record;
    this.#onChange = onChange;
  }

  /** Whether what waits need not wait any longer. There is no back-off for that: things may have changed. */
  get isOverdue() {
    return this.lastError !== undefined || this.#dueAt === Infinity;
  }

  /**
   * Sends what waits, in so many milliseconds at the latest.
   * @param {number} ms
   */
  wake(ms) {
    if (this.#isStopped) return;
    const dueAt = performance.now() + ms;
    // In times of trouble there is a back-off, which new increments do not shorten.
    if (dueAt >= this.#dueAt || (ms > 0 && this.lastError && this.#dueAt < Infinity)) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    if (ms <= 0) void this.deliver();
    else this.#timer = setTimeout(() => void this.deliver(), ms);
  }

  /**
   * Sends all that waits now, or until something has not worked out. Never rejects.
   * @returns {Promise<void>}
   */
  deliver() {
    clearTimeout(this.#timer);
    this.#dueAt = Infinity;
    this.#again = !this.#isStopped;
    this.#target = undefined;
    this.#delivering ??= this.#deliverAll().finally(() => {
      this.#delivering = undefined;
      if (this.#again) void this.deliver(); // It was asked for between the loop and here.
    });
    return this.#delivering;
  }

  /**
   * Sends at once what is ready, with requests that outlive the page. Nothing is stored before: there is no time for that.
   * @param {boolean} isLeaving Whether what is being sent already will break off.
   * @returns {boolean} Whether anything was sent.
   */
  sendReady(isLeaving) {
    const ready = this.#record.ready ?? (isLeaving ? this.#inFlight : undefined);
    // A page that is closed is told so twice: that it goes away, and that it is hidden.
    if (!ready || this.#isStopped || this.#early) return false;
    this.#begins();
    this.#early = this.#run(ready, true).then(async (outcome) => {
      await this.#record.settle(ready.id, outcome);
      if (outcome.outcome !== 'unsettled') this.#ends();
    }).catch(() => {}).finally(() => {
      this.#early = undefined;
    });
    return true;
  }

  stop() {
    this.#isStopped = true;
    this.#again = false;
    clearTimeout(this.#timer);
  }

  async #deliverAll() {
    try {
      while (this.#again) {
        this.#again = false;
        while (await this.#sending.inTurn(() => this.#deliverOne(), this.#record.isWaitedFor) && !this.#target?.isSettled());
      }
    } catch (cause) {
      const error = cause instanceof ShardlineError ? cause
        : new ShardlineError('unavailable', 'Increments that wait cannot be sent.', { reason: 'increments-not-sent', cause });
      this.#backOff(error);
    }
  }

  /** @returns {Promise<boolean>} Whether a batch was settled, and there may be more. */
  async #deliverOne() {
    await this.#early;
    if (this.#isStopped || !this.#sending.maySend(this.#record)) return false;
    const batch = await this.#record.stage();
    if (!batch || this.#isStopped) return false;
    const { last } = this.#record;
    this.#target ??= { isSettled: () => this.#record.isSettled({ ...last, waiters: [] }) };
    this.#begins();
    this.#inFlight = batch;
    const outcome = await this.#run(batch, false).finally(() => {
      this.#inFlight = undefined;
    });
    this.attempts += outcome.attempts ?? 0;
    this.aborted += outcome.aborted ?? 0;
    if (outcome.outcome === 'unsettled') {
      // It goes on from the ledger as it is by now.
      if (outcome.ledger) await this.#record.settle(batch.id, outcome);
      this.#backOff(fromPlain(outcome.error, outcome.cause));
      return false;
    }
    this.#pauseMs = 0;
    this.lastError = undefined;
    await this.#record.settle(batch.id, outcome);
    this.#ends();
    return true;
  }

  #begins() {
    if (!this.isSending) this.sends += 1;
    this.isSending = true;
  }

  #ends() {
    this.isSending = false;
    this.sends += 1;
    this.#onChange();
  }

  /**
   * @param {any} batch
   * @param {boolean} keepalive
   */
  async #run(batch, keepalive) {
    const { knownShards, counter: { shards: said } } = this.#record;
    const shards = knownShards.goBy(said, !keepalive);
    let outcome = await this.#runOn(shards, batch, keepalive);
    const isDenied = outcome.outcome === 'refused' && outcome.error?.code === 'permission-denied';
    if (isDenied && knownShards.doubt(said, shards)) outcome = await this.#runOn(undefined, batch, keepalive);
    knownShards.offer(said, outcome.shards);
    return outcome;
  }

  /**
   * @param {number | undefined} shards
   * @param {any} batch
   * @param {boolean} keepalive
   */
  async #runOn(shards, batch, keepalive) {
    const { connection, users } = this.#sending;
    const { counter: options, place: { user } } = this.#record;
    const counter = { ...options, shards };
    this.#isWrongUser = false;
    const tokenFor = (/** @type {string | null | undefined} */ atHand) => {
      const token = users.tokenFor(user, atHand);
      this.#isWrongUser = token === undefined;
      return token;
    };
    try {
      return await connection.run('counter.deliver', { counter, batch }, { keepalive, tokenFor });
    } catch (cause) {
      if (!(cause instanceof ShardlineError)) throw cause;
      // Whether it was counted will be asked; why it could not be is what matters here.
      const { code, message, reason, params, status, cause: root } = cause.cause instanceof ShardlineError ? cause.cause : cause;
      return { outcome: code === 'invalid-argument' ? 'refused' : 'unsettled', error: { code, message, reason, params, status }, cause: root };
    }
  }

  /** @param {ShardlineError} error */
  #backOff(error) {
    if (this.#isStopped) return;
    const { firstPauseMs, longestPauseMs, warnings } = this.#sending;
    // Increments of a user who is not there just wait. They are sent when that user is back.
    if (this.lastError?.code !== error.code && !this.#isWrongUser) warnings.warn(error);
    this.lastError = error;
    this.#pauseMs = Math.min(this.#pauseMs * 2 || firstPauseMs, longestPauseMs);
    this.#again = false;
    this.wake(this.#pauseMs);
    this.#onChange();
  }
}
