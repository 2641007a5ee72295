/**
 * The runtime modules’ glue: every function of runtime_bindings.cc. Times are milliseconds of one clock that does not
 * run backwards. A call that gets memory by address and size takes it over: the caller does not free it.
 */

export interface ShardlineModule {
  /** All of the module's memory; a new array after memory has grown, so read it again after every call. */
  readonly HEAPU8: Uint8Array;
  /** Address of memory for `size` bytes, or 0 if no memory is left. */
  allocate(size: number): number;
  /** A handle; or 0, and the frame holds an error. */
  connect(address: number, size: number): number;
  disconnect(connection: number): void;
  /** A handle, to be polled at once; or 0, and the frame holds an error; or -1: this module has no operation of that name. */
  start(connection: number, address: number, size: number): number;
  respond(operation: number, request: number, status: number, address: number, size: number, now: number, retryAfterMs: number,
    isSignedIn: number): void;
  failRequest(operation: number, request: number, now: number): void;
  cancel(operation: number): void;
  /** Writes the frame (see src/api/runtime.h). 0 if there is nothing in it to do. */
  poll(operation: number, now: number): number;
  frameAddress(): number;
  frameSize(): number;
  headerSize(): number;
}

export interface ModuleOptions {
  /** The .wasm file beside it, compiled. */
  wasm: WebAssembly.Module;
}

export default function createModule(options: ModuleOptions): Promise<ShardlineModule>;
