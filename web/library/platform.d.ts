// What the declarations name of the web platform, for programs without TypeScript's types of the DOM, as in Node. Where these are there,
// they say more, and this adds nothing.
declare namespace WebAssembly {
  interface Module {}
}
interface Document {}
interface BroadcastChannel {}
interface SymbolConstructor {
  readonly asyncDispose: unique symbol;
}
