/**
 * The name of the method that `await using` calls at the end. Browsers that do not know `await using` have no such symbol.
 * @type {typeof Symbol.asyncDispose}
 */
export const asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
