// A module that a test can crash: the test makes it read beyond its memory, and it traps.

/** Where no memory is. */
const NOWHERE = 2 ** 31 - 2 ** 16;

export class Fragile {
  /** How many calls it still takes. */
  #callsLeft = Infinity;
  crashes = 0;

  /** @param {(options: any) => Promise<any>} createModule Of any of the modules. */
  constructor(createModule) {
    /** Stands in for createModule. */
    this.createModule = (/** @type {{wasm: WebAssembly.Module}} */ options) => {
      const started = createModule(options);
      this.#wrap(/** @type {any} */ (options));
      return started;
    };
  }

  /** @param {number} calls How many calls of the module go well before. */
  crashAfter(calls) {
    this.#callsLeft = calls;
  }

  /** @param {any} module */
  #wrap(module) {
    const trap = module.connect ?? module.createSimulator;
    for (const name of Object.keys(module)) {
      const call = module[name];
      if (typeof call !== 'function') continue;
      module[name] = (/** @type {any[]} */ ...args) => {
        this.#callsLeft -= 1;
        if (this.#callsLeft >= 0) return call(...args);
        this.#callsLeft = Infinity;
        this.crashes += 1;
        return trap(NOWHERE, 100);
      };
    }
  }
}
