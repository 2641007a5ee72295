// Finds WebAssembly modules, starts them, and starts them again when they have crashed.

import { ShardlineError } from './errors.js';

/** The base of relative addresses: the page or, without a page, this file. */
const BASE = globalThis.location?.href ?? import.meta.url;

/** The advice when the library's JavaScript is no longer beside its other files. */
const ASTRAY = 'a bundler or a test runner may have left it behind: see “Bundlers” in the guide “In your app”, or import from shardline/inline.';

/**
 * @typedef {import('./generated/runtime.js').ShardlineModule} ShardlineModule
 * @typedef {string | URL | Response | Promise<Response> | ArrayBuffer | Uint8Array | WebAssembly.Module} WasmSource
 * @typedef {WasmSource | ((file: string) => WasmSource | Promise<WasmSource> | undefined)} WasmOption What connect({ wasm }) takes.
 */

/**
 * Loads one of the modules. Nothing is fetched before it is called.
 * @param {string} file Its name.
 * @param {typeof import('./generated/runtime.js').default} createModule
 * @param {() => URL | Uint8Array} place The default address or content of the file. The caller contains the literal `new URL('…', import.meta.url)`,
 *   so that bundlers find the file and include it.
 * @param {typeof firstFile} find
 */
export function loader(file, createModule, place, find = firstFile) {
  /** @type {Promise<ModuleRunner<ShardlineModule>> | undefined} One module serves all connections that do not bring their own. */
  let shared;

  /** @param {WasmOption} [wasm] */
  const start = async (wasm) => {
    /** @type {Awaited<WasmSource> | undefined} */
    let source;
    try {
      source = wasm === undefined ? undefined : await find(wasm, file);
      source ??= place();
      return await ModuleRunner.start(createModule, await compile(source));
    } catch (cause) {
      throw notStarted(file, 'connect({ wasm })', cause, source);
    }
  };

  /**
   * @param {WasmOption} [wasm]
   * @returns {Promise<ModuleRunner<ShardlineModule>>}
   */
  return (wasm) => {
    if (wasm !== undefined) return start(wasm);
    shared ??= start().catch((error) => {
      shared = undefined; // The network may be back the next time.
      throw error;
    });
    return shared;
  };
}

/**
 * The `wasm` of connect({ wasm }) for the module that an entry begins with.
 * @param {WasmOption} wasm
 * @param {string} file Its name.
 */
export function firstFile(wasm, file) {
  return typeof wasm === 'function' ? wasm(file) : wasm;
}

/**
 * Crash recovery: runs a module, and starts it again after a crash, which most likely means that no memory was left.
 * @template {object} Module
 */
export class ModuleRunner {
  #createModule;
  #wasm;
  /** @type {Module | undefined} Undefined after a crash. */
  #module;

  /**
   * @template {object} Module
   * @param {(options: {wasm: WebAssembly.Module}) => Promise<Module>} createModule
   * @param {WebAssembly.Module} wasm
   */
  static async start(createModule, wasm) {
    return new ModuleRunner(createModule, wasm, await createModule({ wasm }));
  }

  /**
   * @param {(options: {wasm: WebAssembly.Module}) => Promise<Module>} createModule
   * @param {WebAssembly.Module} wasm
   * @param {Module} module
   */
  constructor(createModule, wasm, module) {
    this.#createModule = createModule;
    this.#wasm = wasm;
    this.#module = this.#guard(module);
  }

  /** The running module. After a crash it is a new one, without the state of the last one. */
  get module() {
    this.#module ??= this.#restart();
    return this.#module;
  }

  /** Whether it has not crashed. @param {Module | undefined} module */
  isRunning(module) {
    return module !== undefined && module === this.#module;
  }

  #restart() {
    const module = { wasm: this.#wasm };
    /** @type {unknown} */
    let cause;
    this.#createModule(module).catch((error) => {
      cause = error;
    });
    // The glue has filled in its functions before it returned: see wasm/glue_prelude.js.
    if (!('allocate' in module)) {
      throw new ShardlineError('resource-exhausted', 'The WebAssembly module crashed, and there is no memory to start it again.',
        { reason: 'memory-full', cause });
    }
    return this.#guard(/** @type {Module} */ (/** @type {unknown} */ (module)));
  }

  /**
   * The state of a crashed module is unknown: this call and all later ones throw.
   * @param {Module} module
   */
  #guard(module) {
    /** @type {ShardlineError | undefined} */
    let crashed;
    const calls = /** @type {Record<string, any>} */ (module);
    for (const name of Object.keys(module)) {
      const call = calls[name];
      if (typeof call !== 'function') continue;
      calls[name] = (/** @type {any[]} */ ...args) => {
        if (crashed) throw crashed;
        try {
          return call(...args);
        } catch (cause) {
          crashed = new ShardlineError('internal', 'The WebAssembly module crashed, most likely because no memory was left. It is started '
            + 'again.', { reason: 'module-crashed', cause });
          this.#module = undefined;
          throw crashed;
        }
      };
    }
    return module;
  }
}

/**
 * @param {string} name The name of the module's file.
 * @param {string} option The option that names the file's place.
 * @param {unknown} cause
 * @param {unknown} [source] The place of the file.
 */
export function notStarted(name, option, cause, source) {
  if (cause instanceof ShardlineError) return cause;
  if (!('WebAssembly' in globalThis)) {
    return new ShardlineError('unavailable', `${name} cannot be started: there is no WebAssembly here. Lockdown Mode of iOS and macOS turns it off; `
      + 'people can except a site from it.', { reason: 'module-not-loaded', params: { file: name }, cause });
  }
  const from = typeof source === 'string' || source instanceof URL ? ` from ${source}` : '';
  const why = cause instanceof WebAssembly.CompileError
    ? `Under a Content-Security-Policy, script-src needs ’wasm-unsafe-eval’. Otherwise the answer is another file: ${ASTRAY}`
    : `Call again if the network was away. Under a Content-Security-Policy, connect-src must allow its address. Otherwise, ${ASTRAY}`;
  return new ShardlineError('unavailable', `${name} could not be loaded and started${from}. ${why} Or say where it is with ${option}.`,
    { reason: 'module-not-loaded', params: { file: name }, cause });
}

/**
 * @param {Awaited<WasmSource>} source
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  // The bytes may be of another realm, such as Node's in a test with jsdom.
  if (ArrayBuffer.isView(source) || Object.prototype.toString.call(source) === '[object ArrayBuffer]') return WebAssembly.compile(/** @type {BufferSource} */ (source));
  // Some environments have no Response, for example Jest's jsdom.
  if ('Response' in globalThis && source instanceof Response) return compileResponse(source);
  const url = resolve(/** @type {string | URL} */ (source));
  if (url.protocol === 'file:') {
    // Node: its fetch reads no files. Not an import, which bundlers for browsers would try to resolve.
    const { process } = /** @type {{process?: {getBuiltinModule?: (name: string) => any}}} */ (globalThis);
    const files = process?.getBuiltinModule?.('node:fs/promises');
    if (files) return WebAssembly.compile(await files.readFile(url));
  }
  return compileResponse(await fetch(url));
}

/** @param {string | URL} address */
export function resolve(address) {
  // Some bundlers make URLs that are relative to the page, and only look like others.
  return address instanceof URL ? address : new URL(address, BASE);
}

/**
 * @param {Response} response
 * @returns {Promise<WebAssembly.Module>}
 */
async function compileResponse(response) {
  if (!response.ok) {
    throw new ShardlineError('unavailable', `The WebAssembly module could not be loaded from ${response.url}: HTTP status `
      + `${response.status}. ${ASTRAY}`, { reason: 'module-not-loaded', params: { file: response.url }, status: response.status });
  }
  // Browsers compile no stream whose type has parameters, such as `application/wasm; charset=utf-8`.
  const streamable = response.headers.get('content-type')?.trim().toLowerCase() === 'application/wasm';
  return streamable ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
