// Files of text that the user names.

import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';

import { UsageError } from './options.js';

/** @param {string} file - stands for the standard input. */
export async function readText(file) {
  const text = await read(file);
  refuseUtf16(text, file);
  // Windows' editors begin a file with this mark.
  return text.replace(/^\uFEFF/, '');
}

/** @param {string} file */
async function read(file) {
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
}

/** @param {string} text Read as UTF-8. @param {string} file */
export function refuseUtf16(text, file) {
  // Every other character is zero; a mark of UTF-16 in front is no UTF-8.
  if (/^\uFFFD*(\0[^\0]|[^\0]\0)/.test(text)) throw new UsageError(`${file} is UTF-16, as PowerShell writes it with \`>\`. Save it as UTF-8.`);
}
