// Calls Firestore's REST API; the streams use it.

import { CODES } from '../../listen/codes.js';

/** @typedef {(path: string, body: object) => Promise<any>} Ask `path` behind `/v1/`. Rejects with a ServerError, or without an answer. */

/** The server does not bill requests of streams, which read more often than Firestore would. */
const STREAM = { authorization: 'Bearer stream' };

/** @param {string} status @returns {number} The code of gRPC. */
export function grpcCode(status) {
  return Math.max(CODES.indexOf(status), 2);
}

export class ServerError extends Error {
  /** @param {{code: number, status: string, message: string}} error The error in an answer's body. */
  constructor({ code, status, message }) {
    super(message);
    this.code = code;
    this.status = status;
  }

  /** Whether another attempt may succeed. */
  get isPassing() {
    return ['ABORTED', 'UNAVAILABLE', 'RESOURCE_EXHAUSTED', 'INTERNAL', 'DEADLINE_EXCEEDED'].includes(this.status);
  }
}

/**
 * The error in a stream's form.
 * @param {unknown} error
 */
export function asReported(error) {
  if (error instanceof ServerError) return { code: error.code, status: error.status, message: error.message };
  return { code: 500, status: 'INTERNAL', message: `The embedded Firestore has failed: ${error}` };
}

/** @param {string} message */
export function invalid(message) {
  return new ServerError({ code: 400, status: 'INVALID_ARGUMENT', message });
}

/**
 * Bills reads.
 * @param {import('../../workbench.js').EmbeddedFirestore} simulator
 * @param {number} reads
 */
export async function bill(simulator, reads) {
  if (reads > 0) await simulator.fetch(`http://simulator/stream/billed/${reads}`, { headers: STREAM });
}

/**
 * Lets the faults of the engine, which sees no request of a stream, hit one.
 * @param {import('../../workbench.js').EmbeddedFirestore} simulator
 * @returns {Promise<Response>} Not ok: the answer to the request of the stream. It rejects if the request gets lost.
 */
export function sufferFaults(simulator) {
  return simulator.fetch('http://simulator/', { headers: STREAM });
}

/**
 * @param {import('../../workbench.js').EmbeddedFirestore} simulator
 * @param {{isBilled?: boolean}} [options] Whether its requests are billed. Default true.
 * @returns {Ask}
 */
export function askOf(simulator, { isBilled = true } = {}) {
  return async (path, body) => {
    // Ids may contain any character; the colon is before the method.
    const address = path.split('/').map(encodeURIComponent).join('/').replace(/%3A(\w+)$/, ':$1');
    const init = { method: 'POST', body: JSON.stringify(body), ...(!isBilled && { headers: STREAM }) };
    const response = await simulator.fetch(`http://simulator/v1/${address}`, init).catch(() => {
      throw new ServerError({ code: 503, status: 'UNAVAILABLE', message: 'The answer got lost.' });
    });
    const text = await response.text();
    if (!/^\s*[[{]/.test(text)) throw invalid(`There is no such thing as ${path}.`);
    const answer = JSON.parse(text);
    const { error } = Array.isArray(answer) ? answer[0] ?? {} : answer;
    if (error) throw new ServerError(error);
    return answer;
  };
}
