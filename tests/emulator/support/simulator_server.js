/** The embedded Firestore behind a Node HTTP server, for clients that want a host and a port: Google's own SDKs. */
import { createServer } from 'node:http';

/**
 * @param {import('../../../web/library/workbench.js').Simulator} simulator
 * @param {{port?: number}} [options]
 * @returns {Promise<{host: string, url: string, stop: () => Promise<void>}>}
 */
export async function serveSimulator(simulator, { port = 0 } = {}) {
  const server = createServer((incoming, outgoing) => {
    answer(simulator, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  });
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  const host = `127.0.0.1:${address.port}`;
  return {
    host,
    url: `http://${host}`,
    stop: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

/**
 * @param {import('../../../web/library/workbench.js').Simulator} simulator
 * @param {import('node:http').IncomingMessage} incoming
 * @param {import('node:http').ServerResponse} outgoing
 */
async function answer(simulator, incoming, outgoing) {
  const cors = {
    'access-control-allow-origin': incoming.headers.origin ?? '*',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'DELETE,GET,HEAD,PATCH,POST,PUT',
    'access-control-allow-headers': incoming.headers['access-control-request-headers'] ?? '',
  };
  if (incoming.method === 'OPTIONS') {
    outgoing.writeHead(200, cors).end();
    return;
  }
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { method = 'GET' } = incoming;
  const response = await simulator.fetch(`http://simulator${incoming.url}`, {
    method,
    headers: { authorization: incoming.headers.authorization ?? '' },
    body: method === 'GET' || method === 'HEAD' ? null : body,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, {
    ...cors, 'content-type': response.headers.get('content-type') ?? 'application/json', 'content-length': bytes.length,
  });
  outgoing.end(bytes);
}
