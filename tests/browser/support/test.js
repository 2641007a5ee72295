/** Playwright's `test`, which watches every page and starts every test with an empty database. */
import { test as base } from '@playwright/test';
import { RestClient } from '../../emulator/support/rest.js';
import { Lesson } from './lesson.js';
import { places } from './places.js';
import { Tutorial } from './tutorial.js';
import { Watch } from './watch.js';

export { expect } from '@playwright/test';

/**
 * @typedef {object} Fixtures
 * @property {Watch} watch What the page has done that it should not. Checked after every test.
 * @property {RestClient} firestore This worker’s emulator, behind the library's back; empty at first.
 * @property {Tutorial} tutorial The playground; not opened yet.
 * @property {Lesson} lesson A chapter; not opened yet.
 */

/** @type {[(fixtures: {}, use: (client: RestClient) => Promise<void>) => Promise<void>, {auto: true}]} */
export const emptyFirestore = [async ({}, use) => {
  const client = new RestClient({ url: places.emulator });
  await client.deleteAll();
  await use(client);
}, { auto: true }];

/** @type {import('@playwright/test').Fixtures<Fixtures, {}, import('@playwright/test').PlaywrightTestArgs>} */
const fixtures = {
  watch: [async ({ page }, use) => {
    const watch = await Watch.over(page);
    await use(watch);
    base.expect(watch.complaints, 'complaints of the page').toEqual([]);
  }, { auto: true }],

  firestore: emptyFirestore,

  tutorial: async ({ page }, use) => {
    await use(new Tutorial(page));
  },

  lesson: async ({ page }, use) => {
    await use(new Lesson(page));
  },
};

export const test = base.extend(fixtures);
