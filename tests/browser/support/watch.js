/** Notices when a page writes to the console, breaks its policy, or loads something from elsewhere. */

/** @typedef {import('@playwright/test').Page} Page */

/** Vite's development client tells of its connection, and Playwright of the service worker that it blocks. */
const OF_TOOLS = /^\[vite\]|^Service Worker registration blocked by Playwright/;

export class Watch {
  /** @type {string[]} */
  #complaints = [];
  /** @type {RegExp[]} */
  #expected = [];
  /** @type {Set<string>} */
  #origins = new Set();

  /** @param {Page} page */
  static async over(page) {
    const watch = new Watch();
    page.on('console', (message) => {
      const type = message.type();
      // The browser's text does not name the file that it has failed to load.
      const from = message.text().startsWith('Failed to load') ? ` (${message.location().url})` : '';
      if (!OF_TOOLS.test(message.text())) watch.#complaints.push(`console.${type}: ${message.text()}${from}`);
    });
    page.on('pageerror', (error) => watch.#complaints.push(`uncaught: ${error.stack ?? error}`));
    page.on('dialog', (dialog) => {
      watch.#complaints.push(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
    page.on('request', (request) => watch.#origins.add(request.url().split('/', 3).join('/')));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
        console.error(`policy violated: ${violatedDirective} ${blockedURI} ${sample}`);
      });
    });
    return watch;
  }

  /**
   * The test means to provoke this: for instance, the browser itself reports every answer of 400 and above.
   * @param {RegExp} complaint
   */
  expect(complaint) {
    this.#expected.push(complaint);
  }

  /** The browser's own line about an answer with an error status, or about a missing answer. */
  expectFailedRequests() {
    this.expect(/^console\.error: Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_)/);
  }

  /** Also what was expected. @returns {string[]} */
  get all() {
    return this.#complaints;
  }

  /** @returns {string[]} */
  get complaints() {
    return this.#complaints.filter((complaint) => !this.#expected.some((pattern) => pattern.test(complaint)));
  }

  /** Every origin that something was asked of. */
  get origins() {
    return [...this.#origins];
  }
}
