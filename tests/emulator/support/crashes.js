/** WebAssembly modules that crash, or have no memory left, when a test says so. */

/**
 * Until it is disposed of, every module that is started calls through it.
 * @param {(instance: number) => boolean} isCrashing Asked before every call, with the number of the module that was started, from 0 on. A module
 *   can always be started.
 * @param {number} [most] How many bytes there is memory for at once.
 */
export function watchModules(isCrashing, most = Infinity) {
  const { Instance } = WebAssembly;
  let started = 0;
  /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} imports */
  const Watched = function (module, imports) {
    const { exports } = new Instance(module, imports);
    const number = started;
    started += 1;
    const calls = Object.entries(exports).map(([name, call]) => [name, typeof call !== 'function' ? call : (/** @type {any[]} */ ...args) => {
      if (name === 'allocate' && args[0] > most) return 0;
      if (name !== '_initialize' && isCrashing(number)) throw new WebAssembly.RuntimeError('unreachable');
      return call(...args);
    }]);
    return { exports: Object.fromEntries(calls) };
  };
  WebAssembly.Instance = /** @type {any} */ (Watched);
  return {
    get started() {
      return started;
    },
    stop() {
      WebAssembly.Instance = Instance;
    },
  };
}
