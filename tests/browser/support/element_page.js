/** Pages with elements in them, served under a strict policy, with a Firestore inside. */
import { ICON, makeApp } from './package.js';
import { serveFolder } from './static_server.js';

// No HTML texts, no styles in attributes, nothing from elsewhere.
const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self'", "connect-src 'self'", "base-uri 'none'",
  "form-action 'none'", "require-trusted-types-for 'script'", 'trusted-types default',
].join('; ');

const LIBRARY = './node_modules/shardline/library';

/** The object `app`, which the page's script leaves for tests. */
const MAIN = `import { connect, ShardlineError } from '${LIBRARY}/counters_static.js';
import { openWorkbench } from '${LIBRARY}/workbench.js';
import { ShardCounter, useDatabase, useTexts } from '${LIBRARY}/element.js';

const { createEmbeddedFirestore } = await openWorkbench();
const simulator = await createEmbeddedFirestore({ limits: 'none', worker: false });
const app = {
  ShardCounter, ShardlineError, useDatabase, useTexts, simulator,
  opened: 0, reads: 0, asked: [], isOffline: false, refuses: false, hold: Promise.resolve(), events: [],
  async fetch(input, init) {
    if (app.isOffline) throw new TypeError('no network');
    if (String(input).includes(':run')) app.reads += 1;
    app.asked.push(String(input));
    await app.hold;
    if (app.isOffline) throw new TypeError('no network');
    if (app.refuses && String(input).endsWith(':commit')) {
      return new Response('{"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "Not you."}}', { status: 403 });
    }
    return simulator.fetch(input, init);
  },
  open(options) {
    app.opened += 1;
    return connect({ projectId: 'demo', fetch: app.fetch, storage: 'memory', retry: { maxAttempts: 2, initialDelayMs: 1, maxDelayMs: 2 }, ...options });
  },
  /** From now on answers wait, until the returned function is called. */
  holdAnswers() {
    let release;
    app.hold = new Promise((resolve) => { release = resolve; });
    return () => { app.hold = Promise.resolve(); release(); };
  },
};
for (const type of ['shardline-change', 'shardline-like', 'shardline-rate', 'shardline-error']) {
  addEventListener(type, ({ target, detail }) => app.events.push({ type, id: target.id, code: detail.code, reason: detail.reason, ...detail }));
}
// Another page, whose network is always there.
app.others = await connect({ projectId: 'demo', fetch: simulator.fetch, storage: 'memory' });
for (const [path, count] of [['posts/p1', 1234], ['posts/p2', 1234567]]) {
  await app.others.counter(path, { shards: 3, flushMs: 0 }).increment(count);
}
globalThis.app = app;
`;

/** @param {string} body @param {string} [attributes] Of the html element. @param {string} [script] */
const html = (body, attributes = 'lang="en"', script = './main.js') => `<!doctype html>
<html ${attributes}>
  <head>
    <meta charset="utf-8"><title>Posts</title><link rel="icon" href="./icon.svg">
    <link rel="stylesheet" href="${LIBRARY}/element.css"><link rel="stylesheet" href="./page.css">
    <script type="module" src="${script}"></script>
  </head>
  <body><main><h1>Posts</h1>${body}</main></body>
</html>
`;

const START = `import './main.js';
app.useDatabase(app.open);
`;

export class ElementPages {
  #server;

  /** @param {Awaited<ReturnType<typeof serveFolder>>} server */
  constructor(server) {
    this.#server = server;
  }

  static async serve() {
    const folder = await makeApp('element-pages', {
      'main.js': MAIN,
      'start.js': START,
      'icon.svg': ICON,
      'page.css': 'body { font: 1.25rem/1.6 system-ui, sans-serif; margin: 2rem; } .dark { color-scheme: dark; background: Canvas; color: CanvasText; }\n'
        + '.left { text-align: left; } .right { text-align: right; } .middle { text-align: center; } .tall { height: 5000px; }\n',
    });
    return new ElementPages(await serveFolder(folder));
  }

  stop() {
    return this.#server.stop();
  }

  /**
   * @param {import('@playwright/test').Page} page
   * @param {string} body
   * @param {{attributes?: string, script?: 'main' | 'start'}} [options] `main` leaves it to the test to call useDatabase().
   */
  async open(page, body, { attributes, script = 'start' } = {}) {
    await page.route(`${this.#server.url}page`, (route) => route.fulfill({
      contentType: 'text/html; charset=utf-8', headers: { 'content-security-policy': POLICY }, body: html(body, attributes, `./${script}.js`),
    }));
    await page.goto(`${this.#server.url}page`);
  }
}
