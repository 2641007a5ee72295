// What happens to a page, in the outbox's terms.

/**
 * @typedef {object} Browser What a page has of its browser; in Node there is nothing of it.
 * @property {import('./leader.js').Locks} [locks]
 * @property {new (name: string) => BroadcastChannel} [Channel]
 * @property {EventTarget} [window]
 * @property {Document} [document]
 *
 * @typedef {object} Life
 * @property {() => void} onOnline The network is back.
 * @property {() => void} onHidden It may be the last that the page hears.
 * @property {() => void} onVisible
 * @property {() => void} onLeave The page goes away: for ever, or into the browser's cache of pages.
 * @property {() => void} onReturn It comes back from there.
 * @property {() => void} onFreeze Its timers stop.
 * @property {() => void} onThaw
 */

/** @returns {Browser} */
export function thisBrowser() {
  const { navigator, BroadcastChannel: Channel, document } = /** @type {any} */ (globalThis);
  const window = 'addEventListener' in globalThis ? globalThis : undefined;
  return { locks: navigator?.locks, Channel, document, window };
}

/**
 * @param {{window?: EventTarget, document?: Document}} browser
 * @param {AbortSignal} signal Ends it.
 * @param {Life} life
 */
export function watchPageLife({ window, document }, signal, life) {
  window?.addEventListener('online', life.onOnline, { signal });
  if (!document) return;
  window?.addEventListener('pagehide', life.onLeave, { signal });
  window?.addEventListener('pageshow', (event) => {
    if (/** @type {PageTransitionEvent} */ (event).persisted) life.onReturn();
  }, { signal });
  document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? life.onHidden() : life.onVisible()), { signal });
  document.addEventListener('freeze', life.onFreeze, { signal });
  document.addEventListener('resume', life.onThaw, { signal });
}
