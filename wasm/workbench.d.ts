/**
 * The workbench module's glue: every function of workbench_bindings.cc. Times are milliseconds since 1970. A call that gets memory by address and
 * size takes it over: the caller does not free it.
 */

export interface WorkbenchModule {
  /** All of the module's memory; a new array after memory has grown, so read it again after every call. */
  readonly HEAPU8: Uint8Array;
  /** Address of memory for `size` bytes, or 0 if no memory is left. */
  allocate(size: number): number;
  frameAddress(): number;
  frameSize(): number;
  /** Takes the options as JSON. A handle; or 0, and the frame holds an error's message. */
  createSimulator(address: number, size: number): number;
  /** Takes options as JSON. 1; or 0, and the frame holds an error's message. */
  configureSimulator(simulator: number, address: number, size: number): number;
  destroySimulator(simulator: number): void;
  /** The head is three lines: method, target, Authorization. The frame is one line of JSON, then the answer's body. */
  handleRequest(simulator: number, head: number, headSize: number, body: number, bodySize: number, now: number): void;
  /** The frame is JSON. */
  observe(simulator: number, now: number): void;
  /** From now on, the simulator notes each change for takeJournal(). */
  keepJournal(simulator: number): void;
  /** The frame holds the changes since the last call, which restore() takes. It is empty if nothing has changed. */
  takeJournal(simulator: number): void;
  /** The frame holds the whole state, which restore() takes. */
  takeSnapshot(simulator: number): void;
  /** Takes a snapshot or a journal. 1; or 0, and the frame holds an error's message. */
  restore(simulator: number, address: number, size: number): number;
  /** The frame is JSON: all calls of the runtime, see src/api/describe_calls.h. */
  describeCalls(): void;
  /** The frame is JSON: the named experiments. */
  describeExperiments(): void;
  /** Takes the experiment as JSON. A handle; or 0, and the frame holds an error's message. */
  createExperiment(address: number, size: number): number;
  /** Takes at most `steps` steps. 1 if more steps follow, 0 at the end; -1, and the frame holds an error's message. */
  advanceExperiment(experiment: number, steps: number): number;
  /** The frame is JSON: the report so far. */
  reportExperiment(experiment: number): void;
  destroyExperiment(experiment: number): void;
  /** Takes the options as JSON. 1, and the frame holds the rules; or 0, and it holds an error's message. */
  counterRules(address: number, size: number): number;
  /** Takes [text, options] as JSON. 1, and the frame holds JSON, {text, findings}; or 0, and it holds an error's message. */
  joinCounterRules(address: number, size: number): number;
  /** The same as counterRules() for stocks. */
  stockRules(address: number, size: number): number;
  /** As joinCounterRules(), for stocks. */
  joinStockRules(address: number, size: number): number;
  /** Takes the options as JSON. 1, and the frame holds firestore.indexes.json; or 0, and it holds an error's message. */
  counterIndexes(address: number, size: number): number;
  /** Takes [text, options] as JSON. 1, and the frame holds JSON, a list of findings; or 0, and it holds an error's message. */
  auditIndexes(address: number, size: number): number;
  /** Takes [text, options] as JSON. 1, and the frame holds JSON, {text, changes, commentsLost}; or 0, and it holds an error's message. */
  rewriteIndexes(address: number, size: number): number;
  /** Takes [message] as JSON. 1, and the frame holds JSON; or 0, and it holds an error's message. */
  explainMissingIndex(address: number, size: number): number;
  /** Takes [options] as JSON. 1, and the frame holds JSON; or 0, and it holds an error's message. */
  shardsFor(address: number, size: number): number;
  /** Takes [options] as JSON. 1, and the frame holds JSON; or 0, and it holds an error's message. */
  cost(address: number, size: number): number;
}

export interface ModuleOptions {
  /** workbench.wasm, compiled. */
  wasm: WebAssembly.Module;
}

export default function createModule(options?: ModuleOptions): Promise<WorkbenchModule>;
