// Calls the functions of users apart from the library's own steps: their errors change nothing here.

/**
 * Calls a user's function. Its error or rejection goes to `reportError`; in Node, which lacks it, to `console.error`.
 * @template {any[]} A
 * @param {((...args: A) => unknown) | undefined} callback
 * @param {A} args
 */
export function callApart(callback, ...args) {
  try {
    const result = /** @type {any} */ (callback?.(...args));
    if (typeof result?.then === 'function') result.then(undefined, report);
  } catch (error) {
    report(error);
  }
}

/** @param {unknown} error */
export function report(error) {
  const { reportError } = /** @type {{reportError?: (error: unknown) => void}} */ (globalThis);
  if (reportError) reportError(error);
  else console.error(error);
}
