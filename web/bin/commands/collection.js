// Sharded collections.

import { isUtf8 } from 'node:buffer';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import { and, or, ShardlineError, Timestamp, where } from '../../library/index.js';
import { openWorkbench } from '../../library/workbench.js';
import { UsageError } from '../options.js';
import { counted, jsonText, number } from '../terminal.js';
import { refuseUtf16 } from '../text_file.js';
import { decode, encode, readValue } from '../values.js';

/**
 * @typedef {import('../context.js').Context} Context
 * @typedef {import('../../library/index.js').Database} Database
 * @typedef {import('../../library/index.js').ShardedQuery} ShardedQuery
 * @typedef {import('../../library/collection.js').ReshardingOptions} ReshardingOptions
 * @typedef {import('../../library/collection.js').ReshardingProgress} ReshardingProgress
 */

/** How many documents are read, or sent, before the next ones. */
const BATCH = 500;

/** How many documents a query without a limit asks for at a time. */
const PAGE = 300;

/** @param {Context} context */
export function query(context) {
  const { values: { chunkReads, consistentRead, limit }, signal, terminal } = context;
  return context.withDatabase(async (db) => {
    const asked = queryOf(db, context);
    const options = { chunkReads, consistentRead, signal };
    const print = (/** @type {import('../../library/index.js').DocumentSnapshot} */ doc) => printDocument(context, doc);
    if (limit === undefined) {
      asked.plan(); // A query that is refused without a limit must be refused with pages, too.
      await printPages(asked, options, print, (token) => context.goOnWith({ continueFrom: token }));
      return;
    }
    const { docs, nextToken, billed } = await asked.get(options);
    docs.forEach(print);
    if (context.json) terminal.note(JSON.stringify({ documents: docs.length, billed, nextToken }));
    else terminal.note(`${counted(docs.length, 'document')}; ${counted(billed.reads, 'read')}${nextToken ? `; the next page: --continue-from ${nextToken}` : ''}`);
  });
}

/**
 * Prints all documents. It prints each page as a whole, so that the output always ends where the next page begins.
 * @param {ShardedQuery} query
 * @param {import('../../library/index.js').QueryOptions} options
 * @param {(doc: import('../../library/index.js').DocumentSnapshot) => void} print
 * @param {(token: string) => void} onPage
 */
async function printPages(query, options, print, onPage) {
  for (let asked = query.limit(PAGE); ;) {
    const { docs, nextToken } = await asked.get(options);
    docs.forEach(print);
    if (nextToken === null) return;
    onPage(nextToken);
    asked = asked.continueFrom(nextToken);
  }
}

/** @param {Context} context */
export function count(context) {
  return context.withDatabase(async (db) => {
    const result = await queryOf(db, context).count({ consistentRead: context.values.consistentRead, signal: context.signal });
    context.answer({ count: result }, String(result));
  });
}

/** @param {Context} context */
export function plan(context) {
  return context.withDatabase(async (db) => {
    const result = queryOf(db, context).plan();
    const { chunks, requests, worstCaseReads, indexes } = result;
    const sizes = chunks.map((chunk) => chunk.length).join(' + ');
    context.answer(result, [
      `${counted(requests, 'request')} at first${context.values.shards === undefined ? '' : `, of ${sizes === '1' ? '1 shard' : `${sizes} shards`}`}`,
      worstCase(worstCaseReads, context.values.limit),
      ...indexes.map(({ fields }) => (
        `index: ${fields.map(({ field, order, arrayConfig }) => `${field} ${order ?? arrayConfig}`.toLowerCase()).join(', ')}`)),
    ].join('\n'));
  }, { offline: true });
}

/** @param {number | null} reads @param {number | undefined} limit */
function worstCase(reads, limit) {
  if (reads !== null) return `${counted(reads, 'read')} at the worst`;
  return limit === undefined ? 'as many reads as there are documents'
    : 'one read for each document, and one for each 1,000 index entries that Firestore scans, because several fields have ranges';
}

/**
 * Adds one document for each line of JSON. An interruption waits for the documents that are being sent, so that the line to go on from
 * is exact.
 * @param {Context} context
 */
export function insert(context) {
  const { values: { file, skip, times = [] }, signal, terminal } = context;
  return context.withDatabase(async (db) => {
    const collection = collectionOf(db, context);
    const doc = (/** @type {string} */ path) => db.doc(path);
    const report = terminal.progress('inserting', 'inserted');
    let written = 0;
    context.goOnWith();
    for await (const lines of batchesOf(file, skip, signal)) {
      const { documents, failure } = readLines(lines, times, doc);
      const before = written;
      const lastOf = (/** @type {number} */ some) => (some === lines.length ? lines[some - 1]?.number : (lines[some]?.number ?? 1) - 1) ?? 0;
      const take = (/** @type {number} */ some, isUnderWay = some < documents.length) => {
        written = before + some;
        // Another insertion of documents that are under way might add them twice.
        if (isUnderWay) context.cannotGoOn(describeDoubt(written > 0, lastOf(some), lastOf(documents.length)));
        else context.goOnWith({ skip: lastOf(some) });
      };
      const onProgress = (/** @type {{written: number}} */ progress) => {
        take(progress.written);
        report({ done: written, unit: 'document', skip: lastOf(progress.written) });
      };
      take(0);
      try {
        if (documents.length > 0) await collection.addAll(documents, { onProgress });
      } catch (error) {
        if (error instanceof ShardlineError && error.code !== 'outcome-unknown') take(written - before, false);
        throw nameLine(error, lines);
      }
      if (!failure) continue;
      context.goOnWith({ skip: failure.line - 1 });
      throw new Error(`Line ${failure.line}: ${failure.message}`);
    }
    report({ done: written, unit: 'document' }, true);
    signal.throwIfAborted();
    context.answer({ written }, '');
  }, { finishes: true });
}

/**
 * The message while the outcome of a commit is unknown.
 * @param {boolean} isBegun Whether anything is written.
 * @param {number} sure The last line that is written.
 * @param {number} last The last one that may be. A commit may end before it.
 */
function describeDoubt(isBegun, sure, last) {
  const written = isBegun ? `Lines up to ${sure} are written. ` : '';
  return written + (last - sure === 1
    ? `Line ${last} may have been written; look, then go on with --skip=${sure} or --skip=${last}.`
    : `Lines ${sure + 1} to ${last} may have been written, all or the first of them; look, then go on behind the last one that is there: with `
      + `--skip=${sure} if none is, with --skip=${last} if all are.`);
}

/**
 * An error about one document, with the number of its line.
 * @param {unknown} error
 * @param {Line[]} lines
 */
function nameLine(error, lines) {
  if (!(error instanceof ShardlineError)) return error;
  const [, index, rest] = /^Document (\d+): (.*)$/s.exec(error.message) ?? [];
  const line = lines[Number(index)];
  return line ? new ShardlineError(error.code, `Line ${line.number}: ${rest}`, /** @type {any} */ (error)) : error;
}

/** @param {Context} context */
export function backfill(context) {
  return assignShards(context, ['backfilling', 'backfilled'], (collection, options) => collection.backfill(options));
}

/** @param {Context} context */
export function reshard(context) {
  const values = readShards(context.values.shards);
  return assignShards(context, ['resharding', 'resharded'], (collection, options) => collection.reshard(values, options));
}

/**
 * @param {Context} context
 * @param {[what: string, past: string]} words
 * @param {(collection: import('../../library/index.js').ShardedCollection, options: ReshardingOptions) => Promise<ReshardingProgress>} call
 */
function assignShards(context, words, call) {
  const { values: { dryRun, location, readPrice, writePrice }, signal, terminal } = context;
  const hasPrices = readPrice !== undefined || writePrice !== undefined;
  const prices = hasPrices ? { reads: readPrice, writes: writePrice } : undefined;
  return context.withDatabase(async (db) => {
    const report = terminal.progress(...words);
    const at = prices ? 'the prices that were given' : `the prices of ${location}`;
    context.goOnWith();
    const onProgress = (/** @type {ReshardingProgress} */ progress) => {
      const { read: done, total, documentsPerSecond: perSecond, secondsLeft, billed, dollars, resumeFrom: token } = progress;
      if (token !== null) context.goOnWith({ resumeFrom: token });
      context.hasCost(bill(billed, dollars, at));
      report({ done, total: total ?? undefined, perSecond, secondsLeft, dollars, unit: 'document' });
    };
    const options = context.pick('dryRun', 'writesPerSecond', 'resumeFrom', 'location');
    const result = await call(collectionOf(db, context), { ...options, prices, signal, onProgress });
    const { read, written, skipped, unreachable, billed, dollars, realRun } = result;
    report({ done: read, total: read, unit: 'document' }, true);
    const { cost } = await openWorkbench();
    const dated = prices ? at : `${at}, ${cost({ location }).prices.asOf}`;
    context.answer(result, [
      `${number(written)} ${dryRun ? 'would be' : written === 1 ? 'was' : 'were'} given a shard, ${number(skipped)} ${skipped === 1 ? 'has' : 'have'} one already, `
        + `${number(unreachable)} ${unreachable === 1 ? 'is left as it is' : 'are left as they are'}`,
      ...(realRun ? [
        `${counted(billed.reads, 'read')}, ${counted(billed.writes, 'write')}`,
        `without --dry-run: ${bill(realRun, realRun.dollars, dated)}`,
      ] : [bill(billed, dollars, dated)]),
    ].join('\n'));
  });
}

/**
 * @param {{reads: number, writes: number}} billed
 * @param {number} dollars
 * @param {string} at Which prices.
 */
function bill({ reads, writes }, dollars, at) {
  return `${counted(reads, 'read')}, ${counted(writes, 'write')}, ${dollars.toFixed(2)} dollars at ${at}`;
}

/**
 * @typedef {{number: number, text: string, isUtf8: boolean}} Line
 *
 * @param {string} file
 * @param {number} skip
 * @param {AbortSignal} signal Ends it.
 * @returns {AsyncGenerator<Line[], void, void>}
 */
async function* batchesOf(file, skip, signal) {
  // Each character is one byte: as text, bytes that are not UTF-8 would become other ones.
  const input = (file === '-' ? process.stdin : createReadStream(file)).setEncoding('latin1');
  if (input !== process.stdin) await once(input, 'open').catch((error) => { throw new UsageError(`${file} cannot be read: ${error.message}.`); });
  const reader = createInterface({ input, crlfDelay: Infinity });
  signal.addEventListener('abort', () => reader.close(), { once: true });
  /** @type {Line[]} */
  let batch = [];
  let last = 0;
  for await (const line of reader) {
    last += 1;
    if (signal.aborted) return;
    const bytes = Buffer.from(line, 'latin1');
    if (last === 1) refuseUtf16(bytes.toString(), file);
    // Windows' shells begin a file with a byte order mark, which trim() takes for a space.
    const text = bytes.toString().trim();
    if (last <= skip || text === '') continue;
    batch.push({ number: last, text, isUtf8: isUtf8(bytes) });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0 && !signal.aborted) yield batch;
}

/**
 * The documents of lines, up to the first line that holds no document.
 * @param {Line[]} lines
 * @param {string[]} times Paths of fields whose texts are times.
 * @param {(path: string) => import('../../library/index.js').DocumentReference} doc
 */
function readLines(lines, times, doc) {
  const documents = [];
  for (const { number: line, text, isUtf8: isText } of lines) {
    try {
      if (!isText) throw new Error('it is not UTF-8. Save the file as UTF-8');
      const data = decode(JSON.parse(text), doc);
      for (const path of times) readTime(data, path.split('.'));
      documents.push(data);
    } catch (error) {
      return { documents, failure: { line, message: `${/** @type {Error} */ (error).message.replace(/\.$/, '')}.` } };
    }
  }
  return { documents };
}

/**
 * @param {any} data
 * @param {string[]} path
 */
function readTime(data, [name = '', ...rest]) {
  const value = data?.[name];
  if (rest.length > 0) readTime(value, rest);
  else if (typeof value === 'string') data[name] = Timestamp.fromString(value);
}

/**
 * @param {Context} context
 * @param {import('../../library/index.js').DocumentSnapshot} doc
 */
function printDocument({ json, terminal }, { id, data, createTime, updateTime }) {
  const plain = encode(data());
  if (json) terminal.printJson({ id, data: plain, createTime: createTime.toString(), updateTime: updateTime.toString() });
  else terminal.print(`${id.replaceAll(/\p{Cc}/gu, '\u{FFFD}')}  ${jsonText(plain)}`); // The writer of a document must not control the reader's terminal.
}

/**
 * @param {Database} db
 * @param {Context} context
 */
function collectionOf(db, { values: { collection, shards, alsoRead, shardField, orderField } }) {
  return db.shardedCollection(collection, {
    shards: readShards(shards), ...(alsoRead === undefined ? {} : { alsoRead: readShards(alsoRead, '--also-read') }), shardField, orderField,
  });
}

/**
 * @param {Database} db
 * @param {Context} context
 * @returns {ShardedQuery}
 */
function queryOf(db, context) {
  const { where: conditions = [], order = [], newestFirst, limit, select, continueFrom, shards, collection, ...values } = context.values;
  const doc = (/** @type {string} */ path) => db.doc(path);
  /** @type {ShardedQuery} */
  let asked = shards === undefined ? db.collection(collection) : collectionOf(db, context);
  for (const condition of conditions) asked = asked.where(readCondition(condition, doc));
  if (newestFirst) asked = asked.newestFirst();
  for (const text of order) asked = asked.orderBy(...readOrder(text));
  if (limit !== undefined) asked = asked.limit(limit);
  if (select !== undefined) asked = asked.select(...select.split(',').filter(Boolean));
  for (const bound of /** @type {const} */ (['startAt', 'startAfter', 'endAt', 'endBefore'])) {
    if (values[bound] !== undefined) asked = asked[bound](readValue(values[bound], doc));
  }
  return continueFrom === undefined ? asked : asked.continueFrom(continueFrom);
}

/**
 * @param {string} text
 * @returns {[field: string, direction?: 'asc' | 'desc']}
 */
function readOrder(text) {
  const [, field, direction] = /^(\S+)(?:\s+(asc|desc))?$/.exec(text) ?? [];
  if (!field) throw new UsageError(`--order must be a field, such as price or 'price desc'; it is “${text}”.`);
  return [field, /** @type {'asc' | 'desc' | undefined} */ (direction)];
}

/**
 * A condition as text, or {"or": […]} and {"and": […]} of several in JSON.
 * @param {unknown} given
 * @param {(path: string) => import('../../library/index.js').DocumentReference} doc
 * @returns {import('../../library/document_types.js').QueryFilter}
 */
function readCondition(given, doc) {
  const joined = typeof given === 'string' && given.startsWith('{') ? readJoined(given) : given;
  if (typeof joined === 'string') return where(...readComparison(joined, doc));
  const [[how, list] = []] = Object.entries(joined ?? {});
  if ((how !== 'or' && how !== 'and') || !Array.isArray(list) || Object.keys(/** @type {object} */ (joined)).length !== 1) {
    throw new UsageError(`--where joins conditions as {"or": [...]} or {"and": [...]}; it is ${JSON.stringify(joined)}.`);
  }
  return (how === 'or' ? or : and)(...list.map((each) => readCondition(each, doc)));
}

/** @param {string} text @returns {unknown} */
function readJoined(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--where is no JSON: ${text}`);
  }
}

/**
 * @param {string} text
 * @param {(path: string) => import('../../library/index.js').DocumentReference} doc
 * @returns {[field: string, op: import('../../library/query.js').FilterOperator, value: unknown]}
 */
function readComparison(text, doc) {
  const [, field, op, value] = /^(\S+)\s+(==|!=|<=|>=|<|>|in|not-in|array-contains-any|array-contains)\s+(.+)$/s.exec(text) ?? [];
  if (!field || !op || !value) throw new UsageError(`--where must be a field, an operator and a value, such as 'price.currency == USD'; it is “${text}”.`);
  return [field, /** @type {import('../../library/query.js').FilterOperator} */ (op), readValue(value, doc)];
}

/**
 * @param {string} text
 * @param {string} [flag]
 * @returns {number | (string | number)[]}
 */
export function readShards(text, flag = '--shards') {
  if (/^\d+$/.test(text)) return Number(text);
  try {
    if (text.startsWith('[')) return JSON.parse(text);
    const values = text.split(',');
    if (values.every(isPlain)) return values;
  } catch {
    // It is no JSON.
  }
  throw new UsageError(`${flag} must be a number, values such as x,y,z, or a JSON list for all other values, such as ["a b",-3]; it is “${text}”.`);
}

/** Whether a shard value means the same with quotes and without. @param {string} value */
function isPlain(value) {
  return !/^$|^\s|\s$|^[[{"]/.test(value) && (/^\d+$/.test(value) || Number.isNaN(Number(value)));
}
