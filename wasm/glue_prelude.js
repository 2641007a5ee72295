// Two functions that emcc's MINIMAL_RUNTIME lacks. They go into the glue in front of it; Closure then renames them.

// JavaScript writes answers into the module's memory. A getter, because a new array replaces this one when memory grows.
Object.defineProperty(Module, 'HEAPU8', { get: () => HEAPU8 });

// The runtime's call of WebAssembly.instantiate meets this one, which starts the module before it returns: one that has crashed must
// be followed by another one at once, in the middle of a transaction of the storage. `wasm` is compiled already. And the runtime
// handles no failure to start (a .wasm of another build, no memory left): the factory's promise would stay pending for ever.
/** @suppress {duplicate,const} */
var WebAssembly = { // eslint-disable-line no-redeclare -- on purpose, in this script alone: the runtime has no hook for it
  instantiate: (wasm, imports) => ({
    then: (start) => {
      try {
        start(new globalThis.WebAssembly.Instance(wasm, imports));
      } catch (error) {
        readyPromiseReject(error);
      }
    },
  }),
};
