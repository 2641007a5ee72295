// The programs of workers that run a reader's code.

import { encodeDocument } from '../../library/values.js';

/**
 * @typedef {object} GivenDocument A document that is there when the code begins.
 * @property {string} path
 * @property {object} data As in `set(path, data)`.
 *
 * @typedef {{path: string, fields: object}} WireDocument
 */

/** The most outputs that are shown. */
export const MOST_LINES = 200;
/** The longest run. */
export const MOST_SECONDS = 10;

/** @param {GivenDocument[]} documents @returns {WireDocument[]} For JSON. */
export function onWire(documents) {
  return documents.map(({ path, data }) => ({ path, fields: encodeDocument(data).fields }));
}

/**
 * The program of a module worker. The code keeps its line numbers: it begins in the first line.
 * @param {string} runner The address of code_worker.js.
 * @param {WireDocument[]} documents
 * @param {string} code
 */
export function programOf(runner, documents, code) {
  return `import ${JSON.stringify(runner)}; runCode(${JSON.stringify(documents)}, async () => {${code}\n});\n`;
}

/**
 * The program of a classic worker, which reports the error of a code that no browser can read: for module workers, browsers name no error. It ends
 * before the code, and so runs none of it, also if the code closes the function that it is put into.
 * @param {string} code
 */
export function checkOf(code) {
  return `'use strict'; throw 0; async () => {${code}\n};\n`;
}

/**
 * A browser may report the end of the program as the place of an error.
 * @param {number} line
 * @param {string} code
 * @returns {number} A line of the code.
 */
export function lineWithin(line, code) {
  return Math.max(1, Math.min(line, code.split('\n').length));
}
