/** Firefox, and WebKit, which is Safari's engine: what all other tests show in Chromium, a few show here, with pages' own means. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { firefox } from 'playwright-of-firefox';
import { Builder, Capabilities } from 'selenium-webdriver';
import { until } from '../../emulator/support/until.js';

/**
 * @typedef {object} Tab
 * @property {(url: string) => Promise<unknown>} goto
 * @property {<A, R>(inPage: (argument: A) => R | Promise<R>, argument?: A) => Promise<R>} evaluate The function sees nothing but its
 *   argument and the page.
 * @property {() => Promise<unknown>} close
 *
 * @typedef {object} Visitor Somebody who has never been there. Their tabs have one storage.
 * @property {() => Promise<Tab>} openTab
 * @property {() => Promise<unknown>} leave
 *
 * @typedef {object} Engine
 * @property {() => Promise<Visitor>} invite
 * @property {() => Promise<unknown>} close
 */

/** @type {Record<string, () => Promise<Engine>>} */
export const engines = { Firefox: startFirefox, WebKit: startWebKit };

/**
 * The system's, by the standard protocol; Playwright's own Firefox would have to be downloaded. The newest Playwright that asks Debian's
 * Firefox for nothing that it does not know: 1.65 asks for emulation.setMediaFeaturesOverride.
 */
async function startFirefox() {
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath: process.env.FIREFOX || '/usr/bin/firefox-esr' });
  return {
    async invite() {
      const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } });
      return {
        async openTab() {
          const page = await context.newPage();
          return {
            goto: (url) => page.goto(url),
            evaluate: (inPage, argument) => page.evaluate(/** @type {any} */ (inPage), argument),
            close: () => page.close({ runBeforeUnload: true }),
          };
        },
        leave: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

/** WebKitGTK's own small browser. It needs a screen: one that nobody sees. */
async function startWebKit() {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [display] = await once(/** @type {import('node:stream').Readable} */ (screen.stdio[3]), 'data');
  const env = { ...process.env, DISPLAY: `:${`${display}`.trim()}` };
  return {
    async invite() {
      for (let left = ATTEMPTS - 1; ; left -= 1) {
        const server = await startDriver(env);
        try {
          const { openTab, leave } = await visitWith(await inTime(startSession(server.url)));
          return { openTab, leave: () => leave().finally(server.stop) };
        } catch (error) {
          server.stop();
          if (left === 0) throw error;
        }
      }
    },
    async close() {
      screen.kill();
    },
  };
}

/** Now and then the browser, or its driver, starts and never says so: then others are started. */
const ATTEMPTS = 3;
const START_MS = 15_000;

/** @template T @param {Promise<T>} starting */
async function inTime(starting) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`WebKit has not started within ${START_MS} ms`)), START_MS); });
  try {
    return await Promise.race([starting, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {NodeJS.ProcessEnv} env */
async function startDriver(env) {
  const port = await freePort();
  // In a group of its own, with the browsers that it starts.
  const server = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env, detached: true });
  const url = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${url}/status`).then(({ ok }) => ok, () => false), 'WebKitWebDriver');
  const stop = () => {
    process.removeListener('exit', stop);
    if (server.pid && server.exitCode === null && server.signalCode === null) process.kill(-server.pid);
  };
  process.once('exit', stop);
  return { url, stop };
}

/** @param {string} url Of a driver. */
async function startSession(url) {
  const driver = await new Builder().usingServer(url).withCapabilities(new Capabilities({
    browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary: process.env.WEBKIT || '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser', args: ['--automation'] },
  })).build();
  await driver.manage().setTimeouts({ script: 60_000 });
  return driver;
}

/** @param {import('selenium-webdriver').WebDriver} driver @returns {Promise<Visitor>} */
async function visitWith(driver) {
  const [first = ''] = await driver.getAllWindowHandles();
  let opened = 0;
  /** The driver speaks to one tab at a time. @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @template T @param {string} handle @param {() => Promise<T>} speak @returns {Promise<T>} */
  const inTab = (handle, speak) => {
    const turn = last.then(async () => {
      await driver.switchTo().window(handle);
      return speak();
    });
    last = turn.catch(() => {});
    return turn;
  };
  return {
    async openTab() {
      opened += 1;
      const handle = opened === 1 ? first : await inTab(first, async () => {
        await driver.switchTo().newWindow('tab');
        return driver.getWindowHandle();
      });
      return {
        goto: (url) => inTab(handle, () => driver.get(url)),
        evaluate: (inPage, argument) => inTab(handle, async () => {
          const { value, error } = await driver.executeAsyncScript(`
            const [argument, done] = arguments;
            Promise.resolve(argument).then(${inPage}).then((value) => done({ value }), (error) => done({ error: String(error) + error?.stack }));
          `, argument);
          if (error !== undefined) throw new Error(`in the page: ${error}`);
          return value;
        }),
        close: () => inTab(handle, () => driver.close()),
      };
    },
    leave: () => driver.quit(),
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}
