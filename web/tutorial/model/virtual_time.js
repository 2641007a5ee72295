// Virtual time for a program that asks the platform's own clock: the globals follow it while a run is made. A run has a worker of its own, so that
// the page's clock goes on.

/** @typedef {{at: number, order: number, run: () => void}} Timer */

const { setTimeout: realTimeout, clearTimeout: realClear, setInterval: realInterval, clearInterval: realClearInterval } = globalThis;
const real = { performanceNow: performance.now.bind(performance), dateNow: Date.now, random: Math.random };
/** The methods that read a whole body, which takes real time in some browsers. */
const READERS = /** @type {const} */ (['arrayBuffer', 'text', 'json']);
const BODIES = /** @type {[any, any]} */ ([globalThis.Request.prototype, globalThis.Response.prototype]);
/** Every run begins at this moment. */
const BEGIN = Date.UTC(2026, 0, 1);
/** From one run to the next, so that the library's budgets of an hour are full again. */
const REST_MS = 3_600_000;

const PATIENCE_MS = 10;

/** By performance.now(), which never goes back. */
let ended = 0;

export class VirtualTime {
  /** Milliseconds since the run began. */
  now = 0;
  #order = 0;
  /** @type {Timer[]} In order. */
  #timers = [];
  #readings = 0;
  #hops = new MessageChannel();
  #restore = () => {};
  /** Whether each event waits for things that take a browser real time, although they are there: modules that a program imports again. */
  isPatient = false;

  /** From now on the globals tell this time. @param {() => number} random In place of Math.random. */
  install(random) {
    const origin = Math.ceil(Math.max(real.performanceNow(), ended)) + REST_MS;
    const after = (/** @type {() => void} */ run, ms = 0) => this.after(ms, run);
    // A timer of the time before is a number in browsers, and an object without an order in Node.
    const cancel = (/** @type {any} */ timer) => (typeof timer?.order === 'number' ? this.#cancel(timer) : realClear(timer));
    const every = (/** @type {() => void} */ run, /** @type {number} */ ms) => {
      const timer = this.after(ms, () => {
        run();
        Object.assign(timer, { at: this.now + ms });
        if (timer.run !== nothing) this.#add(timer);
      });
      return timer;
    };
    Object.assign(globalThis, { setTimeout: after, clearTimeout: cancel, setInterval: every, clearInterval: cancel });
    performance.now = () => origin + this.now;
    Date.now = () => BEGIN + this.now;
    Math.random = random;
    const readers = BODIES.map((body) => READERS.map((name) => [body, name, body[name]]));
    for (const [body, name, read] of readers.flat()) {
      const time = this;
      body[name] = function readBody() { return time.#track(read.call(this)); };
    }
    this.#restore = () => {
      Object.assign(globalThis, { setTimeout: realTimeout, clearTimeout: realClear, setInterval: realInterval, clearInterval: realClearInterval });
      performance.now = real.performanceNow;
      Date.now = real.dateNow;
      Math.random = real.random;
      for (const [body, name, read] of readers.flat()) body[name] = read;
      ended = origin + this.now;
    };
  }

  uninstall() {
    this.#restore();
    this.#timers = [];
    this.#hops.port1.close();
  }

  /** @param {number} ms @param {() => void} run */
  after(ms, run) {
    const timer = { at: this.now + Math.max(Math.ceil(ms), 0), order: 0, run, unref: nothing };
    this.#add(timer);
    return timer;
  }

  /**
   * Lets time pass. Each event begins when the effects of the last one have ended.
   * @param {number} untilMs
   * @param {() => boolean} [isEnough]
   */
  async pass(untilMs, isEnough = () => false) {
    await this.#settled();
    while (!isEnough() && this.#timers[0] && this.#timers[0].at <= untilMs) {
      const next = /** @type {Timer} */ (this.#timers.shift());
      this.now = Math.max(this.now, next.at);
      next.run();
      await this.#settled();
    }
    if (!isEnough()) this.now = untilMs;
  }

  /** @param {Timer} timer */
  #add(timer) {
    this.#order += 1;
    timer.order = this.#order;
    let place = this.#timers.length;
    while (place > 0 && /** @type {Timer} */ (this.#timers[place - 1]).at > timer.at) place -= 1;
    this.#timers.splice(place, 0, timer);
  }

  /** @param {Timer} timer */
  #cancel(timer) {
    timer.run = nothing;
    const place = this.#timers.indexOf(timer);
    if (place >= 0) this.#timers.splice(place, 1);
  }

  /** @param {Promise<unknown>} reading */
  #track(reading) {
    this.#readings += 1;
    const done = () => { this.#readings -= 1; };
    reading.then(done, done);
    return reading;
  }

  /** Everything that can happen without time passing has happened. */
  async #settled() {
    do {
      await new Promise((resolve) => {
        this.#hops.port1.onmessage = resolve;
        this.#hops.port2.postMessage(null);
      });
      if (this.isPatient) await new Promise((resolve) => { realTimeout(resolve, PATIENCE_MS); });
    } while (this.#readings > 0);
  }
}

function nothing() {}
