// Keeps the page's files, so that it works without the network after the first visit. vite.config.js puts FILES, their addresses beside
// this one, and VERSION, which changes with any of them, in front.

/** @type {any} The types of pages know no service workers. */
const worker = self;
/** @type {{FILES: string[], VERSION: string}} */
const { FILES, VERSION } = worker;

// One site may have several tutorials.
const NAME = `shardline-tutorial ${worker.registration.scope} `;
const CACHE = NAME + VERSION;

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(keep()));
// Also for the page that has brought it along, which would ask the network for the other chapters until it is loaded again.
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(forgetOthers().then(() => worker.clients.claim())));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(worker.registration.scope)) return;
  event.respondWith(request.mode === 'navigate' ? answerVisit(request) : answer(request));
});

async function keep() {
  const cache = await caches.open(CACHE);
  // The page's own address never changes, so a browser's copy may belong to the last version, whose files are removed.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: file === './' ? 'no-cache' : 'default' })));
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(NAME) && name !== CACHE).map((name) => caches.delete(name)));
}

/**
 * A visit sees the newest page that there is.
 * @param {Request} request
 */
async function answerVisit(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(CACHE);
    // The query has the language.
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

/**
 * The names of files are content-addressed, so a stored file is always right.
 * @param {Request} request
 */
async function answer(request) {
  // A browser may refuse the stored file while the network works.
  const kept = await caches.open(CACHE).then((cache) => cache.match(request)).catch(() => undefined);
  return kept ?? fetch(request);
}
