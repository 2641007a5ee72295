/** A web server of the simplest kind: serves a folder, with the security headers that a careful site sends. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * @param {string} folder
 * @param {{headers?: Record<string, string>, types?: Record<string, string>}} [options] `types` by the name's ending.
 * @returns {Promise<{url: string, stop: () => Promise<void>}>}
 */
export async function serveFolder(folder, { headers = {}, types = {} } = {}) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = normalize(join(folder, decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname)));
    try {
      if (!path.startsWith(folder + sep)) throw new Error('outside');
      const content = await readFile(path);
      const type = { ...TYPES, ...types }[extname(path)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, ...headers });
      response.end(content);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('Not found');
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () => new Promise((resolve) => {
      server.close(() => resolve(undefined));
      server.closeAllConnections();
    }),
  };
}
