import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

// What the page may do, in its <meta> and in the headers of the servers below. It may call any host, because users name
// theirs; everything that it runs or looks like comes from its own files.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self' http: https:",
  "base-uri 'none'",
  "form-action 'none'",
];

// No text becomes HTML or code: the browser refuses innerHTML and its like. The exception is in tutorial/trust.js.
const BUILT_POLICY = [...POLICY, "require-trusted-types-for 'script'", 'trusted-types default'].join('; ');

// Vite's development client has a worker that waits for the server to come back.
const DEVELOPMENT_POLICY = POLICY.join('; ').replace("worker-src 'self'", "worker-src 'self' blob:");

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

/** The tutorial: a page in web/tutorial that imports the library from its sources, as a user's page would. */
export default defineConfig({
  root: fileURLToPath(new URL('tutorial', import.meta.url)),
  base: './',
  plugins: [contentSecurityPolicy()],
  build: {
    outDir: fileURLToPath(new URL('../build/tutorial', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // A file that is inlined as a data: URL would need a hole in the policy above.
    assetsInlineLimit: 0,
    // What is loaded later is wanted later, so the polyfill that would preload it has nothing to do.
    modulePreload: false,
  },
  server: { headers: headers(DEVELOPMENT_POLICY), fs: { allow: [fileURLToPath(new URL('.', import.meta.url))] } },
  preview: { headers: headers(BUILT_POLICY) },
});
