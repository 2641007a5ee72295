import assert from 'node:assert/strict';

const LONGEST_MS = 30_000;

/**
 * Waits for what happens by itself. Fails when that does not come: a test that waits for ever says nothing, and holds up all others.
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
