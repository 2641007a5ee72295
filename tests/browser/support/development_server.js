/** Serves the tutorial from its sources, as scripts/demo does; what Vite keeps between two starts is this server's own. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILD, WEB } from './places.js';

const { createServer } = await import(join(WEB, 'node_modules/vite/dist/node/index.js'));
const server = await createServer({
  configFile: join(WEB, 'vite.config.js'),
  cacheDir: await mkdtemp(join(BUILD, 'vite-')),
  clearScreen: false,
  server: { host: '127.0.0.1', port: 0 },
});
await server.listen();
server.printUrls();
