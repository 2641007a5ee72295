// The answers of the user to which fields rise and which do not: from options of the command line, and from a file that keeps them.

import { UsageError } from '../options.js';
import { readText, writeText } from '../text_file.js';

/**
 * @typedef {Record<string, string[]>} Fields Of each collection.
 * @typedef {{rising?: Fields, notRising?: Fields, shards?: Fields}} Known As auditIndexes() takes it.
 */

const LISTS = ['rising', 'notRising', 'shards'];

/** @param {unknown} value */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {string | undefined} file @returns {Promise<Known>} */
export async function readKnown(file) {
  if (file === undefined) return {};
  const text = await readText(file);
  try {
    const known = JSON.parse(text);
    if (!isObject(known)) throw new Error('it is no object');
    for (const [name, fields] of Object.entries(known)) {
      if (!LISTS.includes(name)) throw new Error(`“${name}” is not one of ${LISTS.join(', ')}`);
      const isWell = isObject(fields) && Object.values(fields).every((list) => Array.isArray(list) && list.every((each) => typeof each === 'string'));
      if (!isWell) throw new Error(`“${name}” must have a list of fields for each collection`);
    }
    return known;
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${/** @type {Error} */ (cause).message}. It holds JSON such as {"rising": {"instruments": ["timestamp"]}, "notRising": {"users": ["birthday"]}}.`, { cause });
  }
}

/**
 * Adds answers about a collection's fields to those in the file.
 * @param {string} file
 * @param {string} collection Its id.
 * @param {{field: string, rises: boolean}[]} answers
 */
export async function keepKnown(file, collection, answers) {
  const known = await readKnown(file).catch((error) => {
    if (error.cause?.code === 'ENOENT') return /** @type {Known} */ ({});
    throw error;
  });
  for (const list of /** @type {const} */ (['rising', 'notRising'])) {
    const others = (known[list]?.[collection] ?? []).filter((each) => !answers.some(({ field }) => field === each));
    const fields = [...others, ...answers.filter(({ rises }) => rises === (list === 'rising')).map(({ field }) => field)];
    if (fields.length > 0) known[list] = { ...known[list], [collection]: fields };
    else if (known[list]) delete known[list][collection];
  }
  await writeText(file, `${JSON.stringify(known, null, 2)}\n`);
}

/**
 * Reads fields with their collection, such as `instruments.timestamp`.
 * @param {string[]} written
 * @param {Fields} [known] Comes first.
 */
export function byCollection(written, known = {}) {
  /** @type {Fields} */
  const collections = { ...known };
  for (const each of written) {
    const [collection = '', ...path] = each.split('.');
    if (path.length === 0) throw new UsageError(`A field must be named with its collection, such as instruments.timestamp; it is “${each}”.`);
    collections[collection] = [...collections[collection] ?? [], path.join('.')];
  }
  return collections;
}
