// Serves an embedded Firestore over HTTP, to clients that want a host and a port.

import { createServer } from 'node:http';
import { createServer as createFront } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { refuseGrpc } from './grpc.js';

/** The embedded Firestore's limit, and a little more, so that the embedded Firestore refuses by itself. */
const MOST_BYTES = 11 * 1024 * 1024;
/** The same over WebChannel: there, most letters take three or six bytes. */
const MOST_STREAMED_BYTES = 6 * MOST_BYTES;

/**
 * @typedef {object} Serving
 * @property {string} host `127.0.0.1:8080`
 * @property {string} url
 * @property {() => Promise<void>} stop
 *
 * @param {import('../library/workbench.js').EmbeddedFirestore} simulator
 * @param {object} [options]
 * @param {number} [options.port] Default: 0, which means any port that is free.
 * @param {string} [options.address] The address to listen on. Default: this machine alone.
 * @param {(message: string) => void} [options.onStranger] Called once for each kind of client that cannot be served.
 * @returns {Promise<Serving>}
 */
export async function serveEmbeddedFirestore(simulator, { port = 0, address = '127.0.0.1', onStranger = () => {} } = {}) {
  /** @type {Set<string>} */
  const told = new Set();
  const tell = (/** @type {string} */ message) => {
    if (!told.has(message)) onStranger(message);
    told.add(message);
  };
  const server = createServer((incoming, outgoing) => {
    // A client sees a lost answer as a broken connection.
    answer(simulator, incoming, outgoing).catch(() => outgoing.destroy());
  });
  const grpc = refuseGrpc(tell);
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  const front = createFront((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      socket.pause();
      socket.unshift(bytes);
      // HTTP/2 begins with "PRI * HTTP/2.0". Its server reads the bytes that were put back by itself.
      const isHttp2 = bytes.toString('latin1', 0, 3) === 'PRI';
      (isHttp2 ? grpc : server).emit('connection', socket);
      if (!isHttp2) socket.resume();
    });
  });
  await new Promise((resolve, reject) => {
    front.once('error', reject);
    front.listen(port, address, () => resolve(undefined));
  });
  const bound = /** @type {import('node:net').AddressInfo} */ (front.address());
  const host = `${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
  return {
    host,
    url: `http://${host}`,
    stop: () => new Promise((resolve) => {
      front.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    }),
  };
}

/**
 * @param {import('../library/workbench.js').EmbeddedFirestore} simulator
 * @param {import('node:http').IncomingMessage} incoming
 * @param {import('node:http').ServerResponse} outgoing
 */
async function answer(simulator, incoming, outgoing) {
  const { method = 'GET', headers, url = '/' } = incoming;
  // As Google's emulator: every page may ask it everything.
  const cors = {
    'access-control-allow-origin': headers.origin ?? '*',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'DELETE,GET,HEAD,PATCH,POST,PUT',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    'access-control-max-age': '3600',
    vary: 'origin, access-control-request-headers',
  };
  if (method === 'OPTIONS') {
    outgoing.writeHead(200, cors).end();
    return;
  }
  const isStream = url.startsWith('/google.firestore.v1.Firestore/');
  const body = await readBody(incoming, isStream ? MOST_STREAMED_BYTES : MOST_BYTES);
  if (!body) {
    outgoing.writeHead(413, { ...cors, connection: 'close' }).end();
    return;
  }
  const response = await simulator.fetch(`http://simulator${url}`, {
    method,
    headers: { authorization: headers.authorization ?? '' },
    body: method === 'GET' || method === 'HEAD' ? null : new Uint8Array(body),
  });
  if (isStream) {
    outgoing.writeHead(response.status, { ...cors, ...Object.fromEntries(response.headers) }).flushHeaders();
    await pipeline(Readable.fromWeb(/** @type {any} */ (response.body)), outgoing);
    return;
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, {
    ...cors, 'content-type': response.headers.get('content-type') ?? 'application/json', 'content-length': bytes.length,
  });
  outgoing.end(method === 'HEAD' ? undefined : bytes);
}

/**
 * @param {import('node:http').IncomingMessage} incoming
 * @param {number} most
 * @returns {Promise<Buffer | undefined>} Undefined if it is too long.
 */
async function readBody(incoming, most) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
