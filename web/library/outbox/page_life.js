// The events of a page, and the parts of its browser that the outbox uses.

/**
 * @typedef {object} Browser The browser's interfaces for the page; empty in Node.
 * @property {LockManager} [locks] The outbox calls only request() and query().
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

/** Calls the outbox when its page comes, goes or is hidden. */
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
    // The page goes away for ever, or into the browser's page cache, from which it comes back with `pageshow`.
    window?.addEventListener('pagehide', () => this.#onLeave(), { signal });
    window?.addEventListener('pageshow', (event) => /** @type {PageTransitionEvent} */ (event).persisted && this.#onReturn(), { signal });
    // A hidden page may end without another event.
    document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? this.#sendLast(false) : this.resume()), { signal });
    // A frozen page has no timers.
    document.addEventListener('freeze', () => this.#tabs.leave(), { signal });
    document.addEventListener('resume', () => this.#onReturn(), { signal });
  }

  /** Goes on after a change of the network or of the signed-in user. */
  resume() {
    const { isStopped, lanes, users, userWatch } = this.#outbox;
    if (isStopped) return;
    userWatch.identifyAll();
    for (const lane of lanes) lane.hurry();
    if (users.current === undefined) userWatch.ask();
    else this.#others.look();
  }

  /** Handles a long pause of the page: other pages may have assumed that it is gone. */
  onLate() {
    this.#tabs.forgetSilence();
  }

  /** Another user has signed in, with other rows. */
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
