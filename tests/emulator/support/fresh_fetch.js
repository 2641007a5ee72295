import { request } from 'node:http';

/**
 * fetch() over a connection of its own. The emulator closes connections that it has kept alive; a request that meets such an end fails, and Node does not
 * repeat a POST as browsers do.
 * @param {string} url
 * @param {{method?: string, headers?: Record<string, string>, body?: string, signal?: AbortSignal}} [init]
 * @returns {Promise<Response>}
 */
export function freshFetch(url, { method = 'GET', headers = {}, body, signal } = {}) {
  return new Promise((resolve, reject) => {
    const fail = (/** @type {unknown} */ cause) => reject(new TypeError('fetch failed', { cause }));
    const sent = request(url, { method, headers, signal, agent: false }, async (answer) => {
      try {
        const chunks = await answer.toArray();
        const given = Object.entries(answer.headers).map(([name, value]) => /** @type {[string, string]} */ ([name, String(value)]));
        resolve(new Response(chunks.length > 0 ? Buffer.concat(chunks) : null, { status: answer.statusCode, headers: given }));
      } catch (error) {
        fail(error);
      }
    });
    sent.on('error', fail).end(body);
  });
}
