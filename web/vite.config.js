import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// What the page may do, in its <meta> and in the headers of the servers below. It may call any host, because users name
// theirs; everything that it runs or looks like comes from its own files.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  // A worker may be made from a text: the code field runs its reader's code in one, which inherits this policy. So that code can import this site's own
  // files, and no text or other site (script-src), and calls no eval(). tutorial/trust.js refuses every other text. The policy does not stop requests
  // of the code: tutorial/model/code_worker.js does. Vite's development client has such a worker, too, which waits for the server to come back.
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self' http: https:",
  "base-uri 'none'",
  "form-action 'none'",
];

// No text becomes HTML or code: the browser refuses innerHTML and its like. The exception is in tutorial/trust.js.
const BUILT_POLICY = [...POLICY, "require-trusted-types-for 'script'", 'trusted-types default'].join('; ');

const DEVELOPMENT_POLICY = POLICY.join('; ');

/** @param {string} policy */
function headers(policy) {
  return {
    // A <meta> cannot say this one.
    'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
}

/** @returns {import('vite').Plugin} */
function contentSecurityPolicy() {
  return {
    name: 'content-security-policy',
    transformIndexHtml: (_html, { server }) => [{
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: server ? DEVELOPMENT_POLICY : BUILT_POLICY },
      injectTo: 'head-prepend',
    }],
  };
}

/** @returns {import('vite').Plugin} The page works offline after the first visit: tutorial/service_worker.js. */
function offline() {
  return {
    name: 'offline',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const hash = createHash('sha256');
        for (const file of Object.values(bundle)) hash.update(file.type === 'chunk' ? file.code : file.source);
        // The page itself is asked for as the folder.
        const files = Object.keys(bundle).map((name) => (name === 'index.html' ? './' : name)).sort();
        const source = await readFile(new URL('tutorial/service_worker.js', import.meta.url), 'utf8');
        this.emitFile({
          type: 'asset',
          fileName: 'service_worker.js',
          source: `self.FILES = ${JSON.stringify(files)};\nself.VERSION = '${hash.digest('hex').slice(0, 16)}';\n${source}`,
        });
      },
    },
  };
}

const WEB = fileURLToPath(new URL('.', import.meta.url));
const REFERENCE = fileURLToPath(new URL('../build/reference', import.meta.url));
const SMALL_PAGE = /^\/(small\.html|packed\/\w+\.js(\.map)?|library\/generated\/\w+\.wasm)$/;

/** @type {{[extension: string]: string}} */
const TYPES = {
  '.html': 'text/html; charset=utf-8', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.json': 'application/json',
  '.map': 'application/json', '.wasm': 'application/wasm',
};

/** @param {string} pathname Of an address. */
function fileBeside(pathname) {
  if (SMALL_PAGE.test(pathname)) return join(WEB, pathname);
  const path = normalize(join(REFERENCE, '..', decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname)));
  return path.startsWith(REFERENCE + sep) ? path : null;
}

/**
 * Serves the small page and, where it has been built, the reference beside the tutorial. Their pages have scripts in them, which the
 * tutorial's policy forbids.
 * @returns {import('vite').Plugin}
 */
function beside() {
  return {
    name: 'beside',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = fileBeside(new URL(request.url ?? '/', 'http://localhost').pathname);
        if (!path || !statSync(path, { throwIfNoEntry: false })?.isFile()) return next();
        response.removeHeader('Content-Security-Policy');
        response.setHeader('Content-Type', TYPES[extname(path)] ?? 'application/octet-stream');
        createReadStream(path).pipe(response);
      });
    },
  };
}

/** The tutorial: a page in web/tutorial that imports the library from its sources, as a user's page would. */
export default defineConfig(({ command }) => {
  // A shell, or whatever starts this, may have set NODE_ENV for work of its own. Vite would build the page for
  // development then: without its service worker, and with the checks of lit-html.
  if (command === 'build') process.env.NODE_ENV = 'production';
  return {
    root: fileURLToPath(new URL('tutorial', import.meta.url)),
    base: './',
    plugins: [contentSecurityPolicy(), offline(), beside()],
    build: {
      outDir: fileURLToPath(new URL('../build/tutorial', import.meta.url)),
      emptyOutDir: true,
      target: 'es2022',
      // A file that is inlined as a data: URL would need a hole in the policy above.
      assetsInlineLimit: 0,
      // All browsers that run the page know how to preload modules.
      modulePreload: { polyfill: false },
    },
    // A worker of the tutorial imports the library, whose parts come when they are needed.
    worker: { format: 'es' },
    server: { headers: headers(DEVELOPMENT_POLICY), fs: { allow: [WEB] } },
    preview: { headers: headers(BUILT_POLICY) },
  };
});
