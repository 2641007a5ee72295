// The events of a page, and the parts of its browser that the outbox uses.

/**
 * @typedef {object} Browser Of the page; in Node it has no members.
 * @property {LockManager} [locks] Asked with request() and query() alone.
 * @property {new (name: string) => BroadcastChannel} [Channel]
 * @property {EventTarget} [window]
 * @property {Document} [document]
 */

/** @returns {Browser} */
export function thisBrowser() {
  const { navigator, BroadcastChannel: Channel, document } = /** @type {any} */ (globalThis);
  const window = 'addEventListener' in globalThis ? globalThis : undefined;
  return { locks: navigator?.locks, Channel, document, window };
}

/** Tells the outbox what to do when its page comes, goes or is hidden. */
export class PageLife {
  #outbox;
  #others;
  #tabs;

  /** @param {import('./outbox.js').Outbox} outbox @param {import('./tabs.js').Tabs} tabs */
  constructor(outbox, tabs) {
    this.#outbox = outbox;
    this.#others = outbox.others;
    this.#tabs = tabs;
  }

  /** @param {Browser} browser @param {AbortSignal} signal Ends it. */
  begin({ window, document }, signal) {
    const { users, userWatch } = this.#outbox;
    users.onChange = () => this.#onUser();
    this.#tabs.enter();
    if (users.current === undefined) userWatch.ask();
    else this.#others.look();
    window?.addEventListener('online', () => this.resume(), { signal });
    if (!document) return;
    // It goes away, for ever or into the browser's cache of pages, from which it comes back with `pageshow`.
    window?.addEventListener('pagehide', () => this.#onLeave(), { signal });
    window?.addEventListener('pageshow', (event) => /** @type {PageTransitionEvent} */ (event).persisted && this.#onReturn(), { signal });
    // Hidden, it may end without another word.
    document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? this.#sendLast(false) : this.resume()), { signal });
    // Its timers stop.
    document.addEventListener('freeze', () => this.#tabs.leave(), { signal });
    document.addEventListener('resume', () => this.#onReturn(), { signal });
  }

  /** Things may have changed: the network, or who is signed in. */
  resume() {
    const { isStopped, lanes, users, userWatch } = this.#outbox;
    if (isStopped) return;
    userWatch.identifyAll();
    for (const lane of lanes) lane.hurry();
    if (users.current === undefined) userWatch.ask();
    else this.#others.look();
  }

  /** The page was held up: other pages may have taken it for gone. */
  onLate() {
    this.#tabs.forgetSilence();
  }

  /** Another user is there, with other rows. */
  #onUser() {
    const { isStopped, lanes, userWatch } = this.#outbox;
    if (isStopped) return;
    userWatch.restart();
    this.#others.onUser();
    for (const lane of lanes) lane.hurry();
  }

  /** @param {boolean} isLeaving */
  #sendLast(isLeaving) {
    for (const lane of this.#outbox.lanes) lane.sendLast(isLeaving);
  }

  #onLeave() {
    this.#sendLast(true);
    this.#tabs.leave();
  }

  #onReturn() {
    this.onLate();
    this.#tabs.enter();
    this.#others.comeBack();
    this.resume();
  }
}
