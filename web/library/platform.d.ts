// The parts of the web platform that the declarations name, for programs without TypeScript's types of the DOM, such as in Node. Where these are
// there, they say more, and this adds nothing.
declare namespace WebAssembly {
  interface Module {}
}
interface Document {}
interface BroadcastChannel {}
interface LockManager {}
interface SymbolConstructor {
  readonly asyncDispose: unique symbol;
}
