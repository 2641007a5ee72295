/** A chapter of the tutorial, in any language: found by its form, not by its words. */
import { expect } from '@playwright/test';
import { CHAPTERS } from '../../../web/tutorial/chapters/index.js';
import { places } from './places.js';

/** @typedef {import('../../../web/tutorial/chapters/chapter.js').Chapter} Chapter */

/** @type {Chapter[]} */
export const chapters = await Promise.all(CHAPTERS.map(({ load }) => load()));

/** @type {{chapter: string, step: string}[]} */
export const steps = chapters.flatMap(({ id, steps: all }) => all.map((step) => ({ chapter: id, step: step.id })));

export class Lesson {
  /** @param {import('@playwright/test').Page} page */
  constructor(page) {
    this.page = page;
    this.prediction = page.locator('.prediction');
    this.stage = page.locator('.stage, .tool');
    this.pictures = page.locator('.picture');
    this.tables = page.locator('.table-scroll table');
    this.player = page.locator('.player');
    this.position = page.locator('.player-slider');
    this.tasks = page.locator('.task');
  }

  /**
   * @param {string} chapter
   * @param {string} [step]
   * @param {{lang?: string, url?: string, knobs?: string}} [options]
   */
  async open(chapter, step = '', { lang, url = places.embeddedTutorial, knobs = '' } = {}) {
    // A view of its own, also where only what stands behind the # differs. It is open when it says so, which `load` does not tell: what
    // a view preloads for later may hold that back.
    await this.page.goto('about:blank', { waitUntil: 'commit' });
    await this.page.goto(`${url}${lang ? `?lang=${lang}` : ''}#/${chapter}${step && `/${step}`}${knobs && `?${knobs}`}`, { waitUntil: 'commit' });
    await this.expectOpen();
  }

  async expectOpen() {
    await expect(this.page.locator('main h1')).toBeVisible();
    await expect(this.page.locator('main')).not.toHaveAttribute('aria-busy');
  }

  /** Shows all that a step has to show: the run to its end, and the numbers beside the pictures. */
  async reveal() {
    const { page } = this;
    const skip = this.prediction.locator('.button-quiet');
    if (await skip.isVisible()) await skip.click();
    else if (await this.#isToBeRun()) await this.runButton.click();
    await expect(this.stage).toBeVisible();
    await expect(page.locator('.stage [aria-busy=true], .tool[aria-busy=true]')).toHaveCount(0, { timeout: 45_000 });
    if (await this.player.isVisible()) await this.toEnd();
    await this.openTables();
  }

  /** The row of the stage with speed, seed and tables. */
  async openMore() {
    const closed = this.page.locator('.more:not([open]) > summary');
    if (await closed.isVisible()) await closed.click();
  }

  /** The numbers of each picture. A table is made a moment after it was asked for. */
  async openTables() {
    await this.openMore();
    if (await this.page.locator('.more').isVisible()) await expect(this.tables).toHaveCount(await this.pictures.count());
  }

  /** Its styles are a file of their own: without them it is drawn below its place, across the words. */
  async expectChartInPlace() {
    // It is drawn when its place is seen.
    await this.page.locator('.series-place').first().scrollIntoViewIfNeeded();
    const chart = this.page.locator('.u-wrap').first();
    await chart.scrollIntoViewIfNeeded();
    await expect(chart.locator('canvas')).toHaveCount(1);
    await expect(async () => expect(await chart.locator('canvas').boundingBox()).toEqual(await chart.boundingBox())).toPass();
  }

  get runButton() {
    return this.page.locator('.stage > .actions .button-primary');
  }

  /** It goes away when the run is there, so all of it is looked at in one moment. */
  #isToBeRun() {
    return this.runButton.evaluateAll((buttons) => buttons.some((button) => button.checkVisibility() && button.ariaBusy !== 'true'));
  }

  async toEnd() {
    await this.position.focus();
    await this.page.keyboard.press('End');
  }

  /** @param {string} id */
  async expectReached(id) {
    await expect(this.page.locator(`.task[data-task="${id}"]`)).toHaveAttribute('data-reached', 'true');
  }
}

/**
 * Presses Tab until the control has the focus, like a reader without a mouse.
 * @param {import('@playwright/test').Page} page
 * @param {import('@playwright/test').Locator} target
 */
export async function tabTo(page, target) {
  for (let steps = 0; steps < 120; steps += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target}`);
}
