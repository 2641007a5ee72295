// Goes into the glue in front of what emcc's MINIMAL_RUNTIME brings, which lacks these two; Closure then renames it.

// JavaScript writes answers into the module's memory. A getter, because a new array replaces this one when memory grows.
Object.defineProperty(Module, 'HEAPU8', { get: () => HEAPU8 });

// The runtime handles no failure to start (a .wasm of another build, no memory left): the factory's promise would stay
// pending for ever. The runtime's call of WebAssembly.instantiate meets this one, which rejects that promise.
/** @suppress {duplicate,const} */
var WebAssembly = {
  instantiate: (wasm, imports) => ({
    then: (start) => globalThis.WebAssembly.instantiate(wasm, imports).then(start).catch(readyPromiseReject),
  }),
};
