import assert from 'node:assert/strict';

const LONGEST_MS = 30_000;

/**
 * Waits until a condition comes true by itself. Fails when it does not: a test that waits for ever says nothing, and holds up all others.
 * @param {() => boolean | Promise<boolean>} condition
 * @param {string} [what]
 */
export async function until(condition, what = `${condition}`) {
  const end = performance.now() + LONGEST_MS;
  while (!await condition()) {
    if (performance.now() > end) assert.fail(`${what} did not come`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
