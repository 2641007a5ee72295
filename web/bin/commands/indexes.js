// firestore.indexes.json.

import { readFile, writeFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';

import { openWorkbench } from '../../library/workbench.js';
import { UsageError } from '../options.js';

/** @typedef {import('../context.js').Context} Context */

/**
 * Ends with 1 if an index is hot, for scripts that check.
 * @param {Context} context
 */
export async function audit(context) {
  const { values: { file, rising = [], shardField } } = context;
  const { auditIndexes } = await openWorkbench();
  const findings = auditIndexes(await readText(file), { ...byCollection('rising', rising), ...byCollection('shards', shardField ?? []) });
  const lines = findings.map(({ risk, collection, field, why, todo }) => `${risk === 'hot' ? 'hot    ' : 'perhaps'}  ${collection}: ${field}\n         ${why}\n         ${todo}`);
  context.answer(findings, lines.length > 0 ? lines.join('\n') : 'no index is hot');
  return findings.some(({ risk }) => risk === 'hot') ? 1 : 0;
}

/** @param {Context} context */
export async function rewrite(context) {
  const { values: { file, collection, shardField, orderField, scope, query, counters, ids, write }, terminal } = context;
  if (!collection && !counters && !ids) throw new UsageError('--collection, --counters or --ids is missing: name at least one.');
  const { rewriteIndexes } = await openWorkbench();
  const queries = query?.map((/** @type {string} */ fields) => fields.split(',').filter(Boolean));
  const result = rewriteIndexes(await readText(file), {
    ...(collection ? { collections: [{ collection, shardField, orderField, scope, ...(queries ? { queries } : {}) }] } : {}),
    ...(counters ? { counters } : {}),
    ...(ids ? { ids } : {}),
  });
  for (const { kind, index, why } of result.changes) terminal.note(`${kind} ${JSON.stringify(index)}: ${why}`);
  if (result.changes.length === 0) terminal.note('nothing needs to be changed');
  if (result.commentsLost) terminal.note('the new text loses the comments of the file');
  if (write && file !== '-') await writeFile(file, result.text);
  if (context.json) terminal.printJson(result);
  else if (!write || file === '-') terminal.print(result.text);
}

/** @param {string} file */
export async function readText(file) {
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
}

/**
 * Reads `instruments.timestamp`: of a collection a field.
 * @param {string} name Of the option.
 * @param {string[]} fields
 */
function byCollection(name, fields) {
  /** @type {Record<string, string[]>} */
  const collections = {};
  for (const each of fields) {
    const [collection = '', ...path] = each.split('.');
    if (path.length === 0) throw new UsageError(`A field must be named with its collection, such as instruments.timestamp; it is “${each}”.`);
    (collections[collection] ??= []).push(path.join('.'));
  }
  return fields.length > 0 ? { [name]: collections } : {};
}
