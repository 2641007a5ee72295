// Long work in pieces, so that a slow device answers the reader in between.

/** How long a frame may take to come: never, where the page is hidden. */
const LATEST_MS = 50;

/** Resolves when what waits meanwhile has had its turn. */
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
