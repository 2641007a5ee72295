// firestore.indexes.json.

import { openWorkbench } from '../../library/workbench.js';
import { choicesOf } from '../choices.js';
import { commandNamed } from '../commands.js';
import { commandLine, UsageError, withFlags } from '../options.js';
import { PROGRAM } from '../program.js';
import { writeText } from '../text_file.js';
import { readIndexFile } from './index_file.js';
import { byCollection, readKnown } from './known_fields.js';

/**
 * @typedef {import('../context.js').Context} Context
 * @typedef {import('../../library/workbench.js').IndexFinding} Finding
 * @typedef {import('../../library/workbench.js').RewrittenIndexes} Rewritten
 */

/**
 * The exit code is 1 if an index is hot, so that scripts can check it. With --strict it is also 1 if an index may be hot.
 * @param {Context} context
 */
export async function audit(context) {
  const { values: { file, known, rising = [], notRising = [], shardField = [], strict } } = context;
  const { auditIndexes } = await openWorkbench();
  const told = await readKnown(known);
  const result = auditIndexes(await readIndexFile(file), {
    rising: byCollection(rising, told.rising), notRising: byCollection(notRising, told.notRising), shards: byCollection(shardField, told.shards),
  });
  const { findings, candidates } = result;
  const describe = (/** @type {Finding} */ finding) => described(finding, context.command);
  context.answer(result, [
    findings.length > 0 ? findings.map(describe).join('\n') : 'no index is known to be hot',
    ...(candidates.length > 0 ? ['', 'Candidates: fields whose names suggest that they rise, or that have a TTL policy.', ...candidates.map(describe)] : []),
  ].join('\n'));
  return findings.some(({ risk }) => risk === 'hot') || (strict && findings.length + candidates.length > 0) ? 1 : 0;
}

/** @param {Finding} finding @param {import('../options.js').Command} command */
function described({ risk, collection, field, why, todo }, command) {
  const advice = withFlags(command, { message: todo.replaceAll('rewriteIndexes()', '`shardline indexes rewrite`') }).replaceAll('`shardline ', `\`${PROGRAM} `);
  return `${risk.padEnd(7)}  ${collection}: ${field}\n         ${why}\n         ${advice}`;
}

/** @param {Context} context */
export async function rewrite(context) {
  const { values: { file, collection, shardField, orderField, scope, query, writesPerSecond, counters, ids, stocks, removeOld, write }, terminal } = context;
  const choices = choicesOf(context.values);
  const { auditIndexes, rewriteIndexes } = await openWorkbench();
  const text = await readIndexFile(file);
  if (!collection && !counters && !ids && !stocks && choices.length === 0) throw new UsageError(question(auditIndexes(text).candidates));
  const queries = query?.map((/** @type {string} */ fields) => fields.split(',').filter(Boolean));
  const of = { collection, shardField, orderField, scope, ...(queries ? { queries } : {}), ...(writesPerSecond === undefined ? {} : { writesPerSecond }) };
  const result = rewriteIndexes(text, {
    ...(collection ? { collections: [of] } : {}),
    ...(counters || choices.length > 0 ? { counters: [...(counters ? [{}] : []), ...choices] } : {}),
    ...(ids ? { ids } : {}),
    ...(stocks ? { stocks } : {}),
    ...(removeOld ? { removeOld } : {}),
  });
  const notes = result.notes.map((note) => note.replace('`[]` to `queries`', '`--query=`'));
  const later = write && file !== '-' ? laterName(file) : null;
  const steps = collection && (result.next ?? result.changes.length > 0) ? stepsOf(context, later) : [];
  for (const { kind, index, why } of result.changes) terminal.note(`${kind} ${JSON.stringify(index)}: ${why}`);
  for (const { kind, index, why } of result.next?.changes ?? []) terminal.note(`later ${kind} ${JSON.stringify(index)}: ${why}`);
  for (const note of notes) terminal.note(note);
  if (result.changes.length === 0 && !result.next) terminal.note('nothing needs to be changed');
  if (result.commentsLost) terminal.note('the new text loses the comments of the file');
  for (const step of steps) terminal.note(step);
  if (later) {
    await writeText(file, result.text);
    if (result.next) await writeText(later, result.next.text);
  }
  if (context.json) terminal.printJson({ ...result, notes, steps });
  else if (!later) terminal.print(filesOf(file, result));
}

/** @param {Finding[]} candidates */
function question(candidates) {
  const names = [...new Set(candidates.map(({ collection }) => collection))];
  return 'Which collection takes more than 500 writes a second? Name it with --collection; an index takes 500, so the others need no change.'
    + `${names.length > 0 ? ` Candidates: ${names.join(', ')}.` : ''} --counters, --stocks and --ids add the fields of Shardline’s own documents.`;
}

/** `firestore.indexes.json` becomes `firestore.indexes.later.json`. @param {string} file */
function laterName(file) {
  return file.replace(/(\.json)?$/, '.later$1');
}

/**
 * Both files, if there are two, each behind a line that says when to deploy it.
 * @param {string} file
 * @param {Rewritten} rewritten
 */
function filesOf(file, { text, next }) {
  if (!next) return text;
  const name = file === '-' ? 'firestore.indexes.json' : file;
  return `// ${name}: deploy it first.\n${text}\n// ${laterName(name)}: deploy it when no query needs the old indexes any more.\n${next.text}`;
}

/**
 * The steps in their order: each one breaks a running app if it comes before the one in front of it.
 * @param {Context} context
 * @param {string | null} later The second file, if it is written.
 */
function stepsOf({ values, command }, later) {
  const { file, collection, shardField, orderField, removeOld } = values;
  const deploy = '`firebase deploy --only firestore:indexes`';
  if (removeOld) return [`Deploy the file with ${deploy} only if no released app and no server asks the old queries any more: they fail without these indexes.`];
  const backfill = commandLine(commandNamed('backfill'), { collection, shards: 'YOUR_VALUES', shardField, orderField });
  const remove = later ? `deploy ${later}` : `deploy the second file, which \`${commandLine(command, { ...values, removeOld: true })}\` prints as well`;
  return [
    `1. Queries: write the queries of ${collection} as queries of db.shardedCollection('${collection}', …), and give each new document a ${shardField}. Release the writes now, and the queries after step 3.`,
    `2. Backfill: give a ${shardField} to the documents that are there: \`${backfill}\``,
    `3. Indexes: deploy ${later ? file : 'the first file'} with ${deploy}, which keeps all old indexes, and wait until Firestore has built the new ones. Then release the queries.`,
    `4. Remove the old indexes when no released app and no server asks the old queries any more: ${remove}.`,
  ];
}
