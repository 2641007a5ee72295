// One tab does it: of all tabs with the same name, the one that holds a Web Lock leads.
//
// The lock goes to the next tab when the leader's page is closed or crashes. A leader that hangs keeps it; so the tabs that wait for a
// leader ask it, and one that gets no answer takes the lock away from it (`takeOver`). Where there are no Web Locks, every tab leads;
// so what leaders do must be harmless when two do it.

/**
 * @typedef {object} Locks The part of navigator.locks that is used.
 * @property {(name: string, options: {signal?: AbortSignal, steal?: boolean}, callback: () => Promise<void> | void) => Promise<unknown>} request
 */

export class Leader {
  #locks;
  #name;
  #onLead;
  /** @type {AbortController | undefined} Ends a request that waits. */
  #waiting;
  /** @type {(() => void) | undefined} Gives the lock back. */
  #letGo;
  #stopped = true;
  leads = false;
  /** Whether no other tab leads as well, as tabs do where there are no Web Locks. */
  isAlone = false;

  /**
   * @param {Locks | undefined} locks
   * @param {string} name
   * @param {() => void} onLead Called whenever this tab begins to lead.
   */
  constructor(locks, name, onLead) {
    this.#locks = locks;
    this.#name = name;
    this.#onLead = onLead;
  }

  /** Leads as soon as no other tab does. */
  start() {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#request(false);
  }

  /** Lets another tab lead, and waits for its turn again. */
  yield() {
    this.stop();
    this.start();
  }

  /** Takes the lead from a tab that does not answer. */
  takeOver() {
    if (this.leads || this.#stopped) return;
    this.#waiting?.abort();
    this.#request(true);
  }

  /** Lets go, and no longer wants to lead. */
  stop() {
    this.#stopped = true;
    this.leads = false;
    this.#waiting?.abort();
    this.#letGo?.();
    this.#letGo = undefined;
  }

  /** @param {boolean} steal */
  #request(steal) {
    if (!this.#locks) return this.#lead(false);
    const waiting = new AbortController();
    this.#waiting = waiting;
    let held = false;
    const hold = () => {
      if (waiting.signal.aborted || this.#stopped) return;
      held = true;
      const kept = new Promise((resolve) => {
        this.#letGo = () => resolve(undefined);
      });
      this.#lead(true);
      return /** @type {Promise<void>} */ (kept);
    };
    this.#locks.request(this.#name, steal ? { steal } : { signal: waiting.signal }, hold).catch(() => {
      if (this.#waiting !== waiting || this.#stopped || waiting.signal.aborted) return;
      if (!held) return this.#lead(false); // The page may not use locks.
      // Another tab has taken over.
      this.leads = false;
      this.#letGo = undefined;
      this.#request(false);
    });
  }

  /** @param {boolean} isAlone */
  #lead(isAlone) {
    this.leads = true;
    this.isAlone = isAlone;
    this.#onLead();
  }
}
