/** The page as scripts/demo serves it: from its sources, by Vite's development server. */
import { places } from './support/places.js';
import { expect, test } from './support/test.js';
import { startTutorial } from './support/vite.js';

test('connects by itself, works, and survives the end of the server', { tag: '@long' }, async ({ tutorial, page }) => {
  const server = await startTutorial({ emulator: new URL(places.emulator).host });
  await tutorial.open(server.url);
  await tutorial.plusOne.click();
  await tutorial.expectTotal('1');
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('font-weight', '700');
  await server.stop();
});

test('a chart stands in its place', { tag: '@long' }, async ({ lesson }) => {
  const server = await startTutorial();
  await lesson.open('one-document', 'many-writers', { url: server.url, lang: 'en' });
  await lesson.reveal();
  await lesson.expectChartInPlace();
  await server.stop();
});
