// Takes everything out of a worker's global scope that leads out of the worker. Nothing is left to call: a worker has one global scope, and can make no
// second one without the name `Worker`.

/** The names that stay. A name that no browser has today goes, too. */
const STAY = new Set([
  // JavaScript. eval() and Function() are refused by the page's policy.
  'AggregateError', 'Array', 'ArrayBuffer', 'AsyncDisposableStack', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Date',
  'DisposableStack', 'Error', 'EvalError', 'FinalizationRegistry', 'Float16Array', 'Float32Array', 'Float64Array', 'Function', 'Infinity', 'Int16Array',
  'Int32Array', 'Int8Array', 'Intl', 'Iterator', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object', 'Promise', 'Proxy', 'RangeError', 'ReferenceError',
  'Reflect', 'RegExp', 'Set', 'String', 'SuppressedError', 'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array',
  'Uint8ClampedArray', 'WeakMap', 'WeakRef', 'WeakSet', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'globalThis',
  'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'undefined', 'unescape',
  // Browsers: time, chance, texts, events and streams. A Request or Response only holds data; the embedded Firestore takes and makes them.
  'AbortController', 'AbortSignal', 'CustomEvent', 'DOMException', 'Event', 'EventTarget', 'Headers', 'ReadableStream', 'Request', 'Response',
  'TextDecoder', 'TextEncoder', 'TransformStream', 'URL', 'URLSearchParams', 'WebAssembly', 'WritableStream', 'atob', 'btoa', 'clearInterval',
  'clearTimeout', 'console', 'crypto', 'performance', 'queueMicrotask', 'reportError', 'self', 'setInterval', 'setTimeout', 'structuredClone',
]);

/**
 * @param {any} scope The global scope of a worker.
 * @throws {Error} Something that should go cannot be removed.
 */
export function lockDown(scope) {
  for (let holder = scope; holder && holder !== EventTarget.prototype && holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      if (!STAY.has(name) && !Reflect.deleteProperty(holder, name) && !isConstant(holder, name)) throw new Error(`${name} cannot be removed.`);
    }
  }
  // They make addresses from which a program could be imported.
  for (const name of ['createObjectURL', 'revokeObjectURL']) Reflect.deleteProperty(scope.URL, name);
}

/**
 * Whether the name is a number such as `TEMPORARY`, which browsers do not remove.
 * @param {object} holder
 * @param {string} name
 */
function isConstant(holder, name) {
  return typeof Object.getOwnPropertyDescriptor(holder, name)?.value === 'number';
}
