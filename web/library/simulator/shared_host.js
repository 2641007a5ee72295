// One embedded Firestore for all tabs of a site (leader election): the tab that holds the Web Lock has it, and the others ask over a
// BroadcastChannel. When the holder goes, the next tab in line loads the stored data, and goes on.
//
// Two pages that send one row do no harm; two hosts would. No tab steals the lock of the host: without the lock, a tab fails.

import { ShardlineError, notAllowed } from '../errors.js';
import { Calls, perform } from './calls.js';
import { LocalHost } from './host.js';

/**
 * @typedef {import('./host.js').Host} Host
 * @typedef {import('./engine.js').EmbeddedFirestoreAnswer} EmbeddedFirestoreAnswer
 *
 * @typedef {{kind: 'who'}
 *   | {kind: 'owner', owner: string, options: Record<string, unknown>}
 *   | {kind: 'call', owner: string, from: string, number: number, call: import('./calls.js').Call}
 *   | {kind: 'reply', to: string} & import('./calls.js').Reply} Message
 */

/** @type {EmbeddedFirestoreAnswer} The answer of a broken connection, if the other side has gone, and its progress is unknown. */
const LOST = { status: 0, contentType: '', delayMs: 0, lost: true, body: new Uint8Array() };

/** @implements {Host} */
export class SharedHost {
  #id;
  #options;
  #open;
  #channel;
  #calls = new Calls();
  /** @type {string | null} The known owner of the data. */
  #owner = null;
  /** @type {LocalHost | null} Set if the owner is this tab. */
  #local = null;
  /** @type {unknown} The error of this tab's failed take-over, unless another tab has taken over. */
  #failure = null;
  /** @type {() => void} */
  #onOwner = () => {};
  /** @type {() => void} */
  #release = () => {};
  #leaving = new AbortController();
  /** @type {Promise<unknown>} Resolves when the lock is given back, or no longer wanted. */
  #owning = Promise.resolve();

  /**
   * @param {string} name
   * @param {Record<string, unknown>} options The engine's options, if this tab begins; otherwise it takes over its predecessor's.
   * @param {(options: Record<string, unknown>) => LocalHost} open
   */
  constructor(name, options, open) {
    if (!globalThis.navigator?.locks || !globalThis.indexedDB || !globalThis.BroadcastChannel) {
      throw new ShardlineError('failed-precondition',
        'persist needs IndexedDB and Web Locks, which browsers have on https:// and on localhost.', { reason: 'storage-missing' });
    }
    // Only now, because a page without Web Locks has no randomUUID() either.
    this.#id = crypto.randomUUID();
    const channelName = `shardline-embedded:${name}`;
    this.#options = options;
    this.#open = open;
    this.#channel = new BroadcastChannel(channelName);
    this.#channel.onmessage = ({ data }) => this.#onMessage(data);
    /** @type {Promise<void>} Resolves when a tab has the data. */
    this.started = new Promise((resolve, reject) => {
      this.#onOwner = resolve;
      const { signal } = this.#leaving;
      this.#owning = navigator.locks.request(channelName, { signal }, () => this.#own()).catch((error) => {
        this.#failure = error;
        reject(error);
        this.#calls.failAll(error);
      });
    });
    this.#send({ kind: 'who' });
  }

  /** @param {import('./engine.js').EmbeddedFirestoreRequest} request */
  answer(request) {
    return this.#call('answer', request);
  }

  /** @param {Record<string, unknown>} options */
  configure(options) {
    return this.#call('configure', options);
  }

  observe() {
    return this.#call('observe');
  }

  reset() {
    return this.#call('reset');
  }

  async close() {
    this.#leaving.abort(new ShardlineError('cancelled', 'The embedded Firestore was closed.', { reason: 'cancelled' }));
    this.#channel.onmessage = null;
    this.#failure = this.#leaving.signal.reason;
    this.#calls.failAll(this.#failure);
    await this.#local?.close();
    this.#release();
    // This tab may be taking over at this moment.
    await this.#owning;
    this.#channel.close();
  }

  /** While this runs, this tab owns the data. */
  async #own() {
    const local = this.#open(this.#options);
    try {
      await local.started;
    } catch (error) {
      await local.close();
      throw error;
    }
    // It was closed meanwhile.
    if (this.#leaving.signal.aborted) return local.close();
    this.#local = local;
    this.#enter(this.#id);
    this.#announce();
    await new Promise((resolve) => { this.#release = () => resolve(undefined); });
  }

  #announce() {
    if (this.#local) this.#send({ kind: 'owner', owner: this.#id, options: this.#local.options });
  }

  /** @param {string} owner It may be the same as before. */
  #enter(owner) {
    if (owner === this.#owner) return;
    const isFirst = this.#owner === null;
    this.#owner = owner;
    this.#failure = null;
    for (const [number, call] of this.#calls.open) {
      if (!isFirst && call.method === 'answer') this.#calls.finish({ number, result: LOST });
      else this.#pass(number, call);
    }
    this.#onOwner();
  }

  /**
   * @param {string} method
   * @param {...unknown} args
   */
  #call(method, ...args) {
    if (this.#failure) return Promise.reject(this.#failure);
    const call = { method, args };
    return this.#calls.start(call, (number) => this.#pass(number, call));
  }

  /**
   * Passes the call to the owner, or waits for an owner.
   * @param {number} number
   * @param {import('./calls.js').Call} call
   */
  async #pass(number, call) {
    if (this.#local) this.#calls.finish({ number, ...await this.#perform(call) });
    else if (this.#owner) this.#send({ kind: 'call', owner: this.#owner, from: this.#id, number, call });
  }

  /** @param {import('./calls.js').Call} call */
  async #perform(call) {
    const outcome = await perform(this.#local, call);
    if (call.method === 'configure') this.#announce();
    return outcome;
  }

  /** @param {Message} message */
  async #onMessage(message) {
    if (message.kind === 'who') {
      this.#announce();
    } else if (message.kind === 'owner') {
      this.#options = message.options;
      this.#enter(message.owner);
    } else if (message.kind === 'reply') {
      if (message.to === this.#id) this.#calls.finish(message);
    } else if (message.owner === this.#id && this.#local) {
      const { from: to, number, call } = message;
      this.#send({ kind: 'reply', to, number, ...await this.#perform(call) });
    }
  }

  /** @param {Message} message */
  #send(message) {
    this.#channel.postMessage(message);
  }
}

/**
 * @param {import('../load.js').ModuleRunner<import('../generated/workbench.js').WorkbenchModule>} runner
 * @param {Record<string, unknown>} options The options of createEmbeddedFirestore().
 * @param {() => number} [now]
 * @returns {Promise<Host>} Ready to be asked.
 */
export async function openHost(runner, { persist, ...options }, now) {
  if (persist !== undefined && (typeof persist !== 'string' || persist === '')) {
    throw notAllowed('persist', 'a name for the kept data, such as "demo"');
  }
  const host = persist === undefined
    ? new LocalHost(runner, options, { now })
    : new SharedHost(persist, options, (inherited) => new LocalHost(runner, inherited, { persist, now }));
  try {
    await host.started;
  } catch (error) {
    await host.close();
    throw error;
  }
  return host;
}
