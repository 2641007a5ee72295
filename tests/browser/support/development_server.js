/** Serves the tutorial from its sources, like scripts/demo. Vite's cache belongs to this server alone. */
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
