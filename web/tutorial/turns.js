// Cooperative scheduling: long work in pieces, so that a slow device responds to the reader in between.

/** The longest wait for a frame, because a hidden page gets none. */
const LATEST_MS = 50;
/** How long a page may be busy before it is taken for idle. */
const IDLE_MS = 1000;

/** Resolves when other waiting work has had its turn. */
export function nextTurn() {
  return new Promise((resolve) => { setTimeout(resolve); });
}

/** Resolves when the page has been drawn as it is. */
export function nextFrame() {
  return new Promise((resolve) => {
    setTimeout(resolve, LATEST_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** Resolves when the page is loaded, and has nothing to do for a moment. */
export async function nextIdle() {
  if (document.readyState !== 'complete') await new Promise((resolve) => { addEventListener('load', resolve, { once: true }); });
  await new Promise((resolve) => {
    // Safari does not say when it is idle.
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: IDLE_MS });
    else setTimeout(resolve, IDLE_MS);
  });
}
