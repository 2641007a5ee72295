/** Rules of WCAG that a program can check. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * @param {import('@playwright/test').Page} page
 * @returns {Promise<string[]>}
 */
export async function violations(page) {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    // Only content that the reader has scrolled there is under the page's header.
    scrollTo({ top: 0, behavior: 'instant' });
    // Colours in a transition are not the final ones.
    const ending = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    // @ts-ignore: defined by the line above.
    const { violations: found } = await globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return found.flatMap((/** @type {any} */ { id, nodes }) => nodes.map(
      (/** @type {any} */ { html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
  });
}
