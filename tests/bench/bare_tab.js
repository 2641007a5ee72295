// A tab of Chromium as a user has it. Playwright watches every request and every frame of its own pages, which takes a fifth of the time that
// a press takes: this tab is spoken to by the DevTools protocol alone, and nothing watches it.

/** @typedef {import('@playwright/test').CDPSession} CDPSession */

export class BareTab {
  #browser;
  #session;
  #last = 0;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #calls = new Map();
  /** @type {Map<string, (params: any) => void>} */
  #listeners = new Map();

  /** With a storage of its own. @param {CDPSession} browser */
  static async open(browser) {
    const { browserContextId } = await browser.send('Target.createBrowserContext');
    const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: false });
    return new BareTab(browser, sessionId);
  }

  /** @param {CDPSession} browser @param {string} session */
  constructor(browser, session) {
    this.#browser = browser;
    this.#session = session;
    browser.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
      if (sessionId === session) this.#hear(JSON.parse(message));
    });
  }

  /** @param {string} method @param {object} [params] @returns {Promise<any>} */
  send(method, params = {}) {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#browser.send('Target.sendMessageToTarget', { sessionId: this.#session, message: JSON.stringify({ id, method, params }) }).catch(reject);
    });
  }

  /** @param {string} event @param {(params: any) => void} listener In the place of the one before. */
  on(event, listener) {
    this.#listeners.set(event, listener);
  }

  /** @param {string} expression A promise is waited for. @returns {Promise<any>} */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** @param {any} message */
  #hear({ id, result, error, method, params }) {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (!call) this.#listeners.get(method)?.(params);
    else if (error) call.reject(new Error(error.message));
    else call.resolve(result);
  }
}
