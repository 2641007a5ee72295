// For bundlers that do not read `exports` in package.json.
export * from './library/elements.js';
