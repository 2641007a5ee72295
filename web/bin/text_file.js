// Files of text that the user names.

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { buffer as readAll } from 'node:stream/consumers';

import { UsageError } from './options.js';

/** @param {string} file - stands for the standard input. */
export async function readText(file) {
  const bytes = await read(file);
  const text = bytes.toString();
  refuseUtf16(text, file);
  if (!isUtf8(bytes)) throw new UsageError(`${file} is not UTF-8. Save it as UTF-8.`);
  // Windows' editors begin a file with this mark.
  return text.replace(/^\uFEFF/, '');
}

/** @param {string} file */
async function read(file) {
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file);
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
}

/**
 * Writes a file as a whole, or leaves it as it is: a full disk must not destroy it. A link stays a link.
 * @param {string} file
 * @param {string} text If it is the file's text already, nothing is written.
 */
export async function writeText(file, text) {
  try {
    const place = await realpath(file).catch(() => file);
    const old = await stat(place).catch(() => undefined);
    if (old && !old.isFile()) await writeFile(place, text);
    else if (!old || await readText(place).catch(() => undefined) !== text) await replace(place, text, old?.mode);
  } catch (cause) {
    throw new Error(`${file} cannot be written: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
}

/** @param {string} place @param {string} text @param {number} [mode] */
async function replace(place, text, mode) {
  const aside = `${place}.${randomUUID()}.new`;
  try {
    const handle = await open(aside, 'wx');
    try {
      await handle.writeFile(text);
      if (mode !== undefined) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, place);
  } finally {
    await rm(aside, { force: true });
  }
}

/** @param {string} text Read as UTF-8. @param {string} file */
export function refuseUtf16(text, file) {
  // Every other character is zero; a mark of UTF-16 in front is no UTF-8.
  if (/^\uFFFD*(\0[^\0]|[^\0]\0)/.test(text)) throw new UsageError(`${file} is UTF-16, as PowerShell writes it with \`>\`. Save it as UTF-8.`);
}
