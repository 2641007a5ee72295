/** Firefox, and WebKit, which is Safari's engine. All other tests run in Chromium; a few run here, with the means of a page alone. */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
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

const MINI_BROWSER = process.env.WEBKIT || '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
/** Below it are ports that well-known servers use. */
const LEAST_PORT = 10_000;

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

/** WebKitGTK's own small browser. It needs a screen: one that no user sees. */
async function startWebKit() {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [display] = await once(/** @type {import('node:stream').Readable} */ (screen.stdio[3]), 'data');
  // Without these, GTK looks for a session bus, and starts one for this screen, which outlives it.
  const env = { ...process.env, DISPLAY: `:${`${display}`.trim()}`, DBUS_SESSION_BUS_ADDRESS: 'disabled:', NO_AT_BRIDGE: '1', GSETTINGS_BACKEND: 'memory' };
  return {
    async invite() {
      for (let left = ATTEMPTS - 1; ; left -= 1) {
        const pair = await startPair(env);
        try {
          const { openTab, leave } = await inTime(pair.ready.then(startSession).then(visitWith));
          return { openTab, leave: () => leave().finally(pair.stop) };
        } catch (error) {
          pair.stop();
          if (left === 0) throw error;
        }
      }
    },
    async close() {
      screen.kill();
    },
  };
}

/**
 * How often a start is tried: another program can take the port between the check and the start, and the browser then never tells its driver; and the browser
 * itself sometimes never listens at its port.
 */
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

/**
 * The driver and the browser, each on a port that is chosen here. The driver would choose the browser's port by itself: one of those that
 * the system gives to connections and servers, so that on a busy machine another program may have it before the browser has started.
 * @param {NodeJS.ProcessEnv} env
 */
async function startPair(env) {
  const [browserPort, driverPort] = [await quietPort(), await quietPort()];
  const address = `127.0.0.1:${browserPort}`;
  // Each leads a process group with its own children.
  const browser = spawn(MINI_BROWSER, ['--automation'], { stdio: 'ignore', env: { ...env, WEBKIT_INSPECTOR_SERVER: address }, detached: true });
  const driver = spawn('WebKitWebDriver', [`--port=${driverPort}`, `--target=${address}`], { stdio: 'ignore', env, detached: true });
  const stop = () => {
    process.removeListener('exit', stop);
    for (const { pid, exitCode, signalCode } of [driver, browser]) {
      if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
    }
  };
  process.once('exit', stop);
  const url = `http://127.0.0.1:${driverPort}`;
  const ready = (async () => {
    await until(() => fetch(`${url}/status`, { signal: AbortSignal.timeout(START_MS) }).then(({ ok }) => ok, () => false), 'WebKitWebDriver');
    await until(() => listens(browserPort), 'WebKit');
    return url;
  })();
  ready.catch(() => {}); // A test that has given up does not hear of it.
  return { ready, stop };
}

/** @param {string} url Of a driver. */
async function startSession(url) {
  const driver = await new Builder().usingServer(url).withCapabilities(new Capabilities({
    browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] },
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

/** A free port below those that the system draws for connections, and for servers that ask for any. */
async function quietPort() {
  const [lowest = ''] = (await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8')).split(/\s/);
  for (;;) {
    const port = randomInt(LEAST_PORT, Number(lowest));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(() => true, () => false);
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** @param {number} port */
async function listens(port) {
  const socket = connect(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(() => true, () => false);
  socket.destroy();
  return isThere;
}
