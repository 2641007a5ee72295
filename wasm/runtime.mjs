// Starts one of the runtime modules: all that runtime_bindings.cc needs of JavaScript. It goes into the package as generated/runtime.js.

/** A double has some 20 digits as text: a call of TextDecoder would take longer. */
const textOf = (/** @type {Uint8Array} */ bytes) => String.fromCharCode(...bytes);

/**
 * Fills in the module's functions before it returns: one that has crashed must be followed by another one at once, in the middle of a
 * transaction of the storage.
 * @param {any} module
 * @returns {Promise<any>}
 */
export default async function createModule(module) {
  /** @type {any} */
  let calls;
  let bytes = new Uint8Array();
  const memory = () => {
    // Memory that has grown is another one.
    if (bytes.length === 0) bytes = new Uint8Array(calls.memory.buffer);
    return bytes;
  };
  const env = {
    emscripten_notify_memory_growth() {},
    // JavaScript's conversions between doubles and text, which is ASCII: src/base/number.cc.
    ShardlineParseDouble: (/** @type {number} */ text, /** @type {number} */ size) => Number(textOf(memory().subarray(text, text + size))),
    ShardlinePrintDouble: (/** @type {number} */ value, /** @type {number} */ out) => {
      const digits = String(value);
      for (let i = 0; i < digits.length; i += 1) memory()[out + i] = digits.charCodeAt(i);
      return digits.length;
    },
  };
  calls = new WebAssembly.Instance(module.wasm, { env, wasi_snapshot_preview1: { proc_exit() {} } }).exports;
  calls._initialize();
  Object.defineProperty(module, 'HEAPU8', { get: memory });
  for (const [name, call] of Object.entries(calls)) if (typeof call === 'function') module[name] = call;
  return module;
}
