// emcc mentions these arrays of WASM_BIGINT in code that is never called, but declares them only in its full runtime;
// Closure wants them declared.
var HEAP64, HEAPU64;
