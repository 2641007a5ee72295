/** Measures how long a reader with a slow device waits. */
import { expect } from '@playwright/test';

/** How many times slower the slow device is than this machine. */
export const SLOWER = 4;
/** A task of this length at full speed takes 100 ms on the slow device. */
export const LONGEST_TASK_MS = 100 / SLOWER;
const VISITS = 5;

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {number} slower How many times slower the device is than this machine.
 * @param {(page: import('@playwright/test').Page) => Promise<number>} measure
 * @returns {Promise<number[]>} Of several first visits. Other programs may use this machine: the best shows the page's own speed.
 */
export async function visits(browser, slower, measure) {
  const figures = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const page = await (await browser.newContext()).newPage();
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: slower });
    figures.push(await measure(page));
    await page.context().close();
  }
  return figures;
}

/**
 * To measure at full speed: Chromium plays a slow device by a thread that interrupts the page's, so that one task takes twice as long and another eight times.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<void>} act
 * @returns {Promise<number>} Of the tasks of the pages' own threads, in milliseconds of processor time: other programs do not count. Nor do the messages
 *   of this test, one of which brings a script of 330 KB.
 */
export async function longestTaskOf(browser, page, act) {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await act();
  /** @type {{name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args?: any}[]} */
  const events = JSON.parse((await browser.stopTracing()).toString()).traceEvents;
  const mains = new Set(events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  const ours = events.filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid} ${tid}`));
  const messages = ours.filter(({ args }) => args?.chrome_mojo_event_info?.mojo_interface_tag === 'blink.mojom.DevToolsSession');
  const isTests = (/** @type {typeof ours[number]} */ { pid, tid, ts, dur = 0 }) => (
    messages.some((each) => each.pid === pid && each.tid === tid && each.ts >= ts && each.ts < ts + dur));
  const tasks = ours.filter((event) => event.name.endsWith('RunTask') && !isTests(event));
  expect(tasks.length, 'tasks in the trace').toBeGreaterThan(10);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000;
}
