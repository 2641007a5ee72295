// What ESLint looks for in the repository's JavaScript. `scripts/test check` runs it from the top folder.

import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['**/node_modules/', '**/generated/', 'build/', 'web/packed/', 'web/types/'] }, // What is installed or built.
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    // `const { left, out, ...rest } = …` is how the language copies an object without some of its members.
    rules: { 'no-unused-vars': ['error', { ignoreRestSiblings: true }] },
  },
  { files: ['web/**/*.js', 'wasm/*.mjs'], languageOptions: { globals: globals.browser } },
  { files: ['web/*.js', 'web/bin/**/*.js', 'scripts/**/*.js'], languageOptions: { globals: globals.node } },
  // Tests run in Node, and hand functions to pages.
  { files: ['tests/**/*.js'], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
  {
    // Playwright wants every fixture to name what it uses in a pattern, also one that uses nothing.
    files: ['tests/browser/**/*.js'],
    rules: { 'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }] },
  },
  {
    // Pieces of the script that emcc puts together: what they declare is used in other pieces, which declare what they use.
    files: ['wasm/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: { ...globals.browser, Module: 'readonly', HEAPU8: 'readonly', readyPromiseReject: 'readonly', mergeInto: 'readonly', LibraryManager: 'readonly' },
    },
    rules: { 'no-unused-vars': ['error', { vars: 'local' }] },
  },
];
