// Remote procedure calls over messages between pages, tabs and workers.

import { fromPlain, toPlain } from '../errors.js';

/**
 * @typedef {{method: string, args: unknown[]}} Call
 * @typedef {{number: number, result?: any, error?: import('../errors.js').PlainError}} Reply
 */

export class Calls {
  /** @type {Map<number, {call: Call, resolve: (result: any) => void, reject: (error: unknown) => void}>} */
  #open = new Map();
  #last = 0;

  /**
   * @param {Call} call
   * @param {(number: number) => void} send
   * @returns {Promise<any>}
   */
  start(call, send) {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      this.#open.set(this.#last, { call, resolve, reject });
      send(this.#last);
    });
  }

  /** @param {Reply} reply */
  finish({ number, result, error }) {
    const open = this.#open.get(number);
    this.#open.delete(number);
    if (error) open?.reject(fromPlain(error));
    else open?.resolve(result);
  }

  /** @returns {[number: number, call: Call][]} The calls without an answer. */
  get open() {
    return [...this.#open].map(([number, { call }]) => [number, call]);
  }

  /** @param {unknown} error The error of all open calls. */
  failAll(error) {
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}

/**
 * Performs a call.
 * @param {any} target
 * @param {Call} call
 * @returns {Promise<{result: any} | {error: import('../errors.js').PlainError}>}
 */
export async function perform(target, { method, args }) {
  try {
    return { result: await target[method](...args) };
  } catch (error) {
    return { error: toPlain(error) };
  }
}
