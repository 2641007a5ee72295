// The table of all commands, with their arguments and options. Names and ranges are the API's.

import { CHOICE_COMMANDS, CHOICES } from './choices.js';

/**
 * @typedef {import('./options.js').Argument} Argument
 * @typedef {import('./options.js').Command} Command
 */

const LAYOUTS = ['web-sample', 'mobile-sample', 'node-sample', 'go-sample', 'php-sample', 'ruby-sample', 'collection', 'extension'];
const DELIVERIES = ['exactly-once', 'at-least-once', 'transaction'];
/** @type {[number, number]} */
const SHARDS = [1, 10_000];
/** @type {[number, number]} */
const ANY = [0, Infinity];

const STORE_HELP = `Increments wait in files until the server has confirmed them, in the folder
SHARDLINE_STORE (default ~/.local/state/shardline). Any number of processes may
use it at once.`;

/** @type {Argument} */
const COUNTER_PATH = { name: 'path', needed: true, sentence: 'The path of the counter’s document, such as posts/p1. In the layouts php-sample, ruby-sample and collection: of its shard collection.' };
/** @type {Argument[]} */
const COUNTER = [
  { name: 'shards', type: 'integer', range: SHARDS, sentence: 'The number of shards. Default: the number in the counter’s document; create takes 10.' },
  { name: 'layout', words: LAYOUTS, usual: 'web-sample', sentence: 'The documents’ layout: that of a sample in Firestore’s documentation, by the sample’s language. Your program may use any language.' },
  { name: 'countField', metavar: 'FIELD', sentence: 'The field with the count, in the layout extension.' },
];
/** @type {Argument} */
const FIELDS = { name: 'fields', metavar: 'FIELDS', sentence: 'All fields of a counter with several fields, such as like,love,laugh.' };
/** Options of the calls that a counter with fields has, too. */
const COUNTER_OR_FIELDS = [...COUNTER, FIELDS];

/** @type {Argument} */
const WATCH_INTERVAL = { name: 'intervalMs', type: 'number', range: [1, 2 ** 27 - 1], usual: 1000, sentence: 'The time between two readings while the total changes. '
  + 'While it rests, up to 16 times as long.' };

/** @type {Argument} */
const COLLECTION_PATH = { name: 'collection', needed: true, sentence: 'The path of the collection, such as instruments.' };
/** @type {Argument} */
const SHARD_VALUES = { name: 'shards', needed: true, metavar: 'VALUES', sentence: 'The shard values: x,y,z, a JSON list such as ["a b",-3], or a number (3 means the strings 0, 1 and 2).' };
/** @type {Argument[]} */
const COLLECTION = [
  SHARD_VALUES,
  { name: 'alsoRead', metavar: 'VALUES', sentence: 'Shard values that your documents can have besides, while you change the values. See reshard.' },
  { name: 'shardField', usual: 'shard', sentence: 'The field that holds the shard value.' },
  { name: 'orderField', usual: 'timestamp', sentence: 'The rising field by which documents are sorted.' },
];
/** @type {Argument[]} */
const QUERY = [
  { ...SHARD_VALUES, needed: false, sentence: `${SHARD_VALUES.sentence} Leave them out for an ordinary collection.` },
  ...COLLECTION.slice(1),
  { name: 'where', many: true, metavar: 'CONDITION', sentence: 'A field, an operator (== != < <= > >= in not-in array-contains array-contains-any) and a value: '
    + '\'price.currency == USD\'. The value is JSON, a time such as 2024-01-31T12:00:00Z, or a string without quotes. Join conditions in JSON: '
    + '{"or": ["price > 5", {"and": ["isNew == true", "price > 3"]}]}.' },
  { name: 'order', many: true, metavar: 'ORDER', sentence: 'The field that sorts: price, or \'price desc\'. Default: the order field.' },
  { name: 'newestFirst', type: 'flag', sentence: 'Sorts by the order field, the latest document first.' },
  { name: 'limit', type: 'integer', range: [1, 2_147_483_647], sentence: 'The most documents that you get. Default: all.' },
  { name: 'select', metavar: 'FIELDS', sentence: 'The fields that you get: symbol,price.micros. Default: all.' },
  { name: 'startAt', metavar: 'VALUE', mayBeEmpty: true, sentence: 'The value of the order field at which the result begins.' },
  { name: 'startAfter', metavar: 'VALUE', mayBeEmpty: true, sentence: 'The value of the order field after which the result begins.' },
  { name: 'endAt', metavar: 'VALUE', mayBeEmpty: true, sentence: 'The value of the order field at which the result ends.' },
  { name: 'endBefore', metavar: 'VALUE', mayBeEmpty: true, sentence: 'The value of the order field before which the result ends.' },
  { name: 'continueFrom', metavar: 'TOKEN', sentence: 'The token of the previous page, which a query with --limit prints on the standard error (as JSON with --json).' },
];
/** @type {Argument[]} */
const RESHARDING = [
  ...COLLECTION,
  { name: 'dryRun', type: 'flag', sentence: 'Only reads, and prints the price of the whole run.' },
  { name: 'location', usual: 'us-central1', sentence: 'The location whose prices you want: us-central1 or nam5. For another one, give both prices.' },
  { name: 'readPrice', inApi: 'prices', type: 'number', range: [0, 1_000_000], sentence: 'Dollars for a million reads.' },
  { name: 'writePrice', inApi: 'prices', type: 'number', range: [0, 1_000_000], sentence: 'Dollars for a million writes.' },
  { name: 'writesPerSecond', type: 'number', range: [1, 10_000], sentence: 'The most writes a second. Firestore’s rule for new traffic bounds it: 500 at first, then half as many again every '
    + 'five minutes.' },
  { name: 'resumeFrom', metavar: 'TOKEN', sentence: 'The token that your interrupted call printed; or the path of a document that you want to skip.' },
];
/** @type {Argument} */
const CHUNK_READS = { name: 'chunkReads', words: ['share', 'whole-page'], usual: 'share', sentence: 'share asks each chunk of shards for its share of the page, and refills. whole-page asks '
  + 'each for the whole page.' };
/** @type {Argument} */
const CONSISTENT_READ = { name: 'consistentRead', type: 'flag', sentence: 'Reads all chunks as of one moment.' };
/** @type {Argument} */
const STOCK_PATH = { name: 'path', needed: true, sentence: 'The path of the stock’s document, such as events/e1.' };
/** @type {Argument} */
const STOCK_SHARDS = { name: 'shards', type: 'integer', range: SHARDS, usual: 10, sentence: 'The number of documents of your stock. Each takes about one change a second.' };
/** @type {Argument} */
const TAKE_KEY = { name: 'key', needed: true, sentence: 'The key of the take, which stock take prints.' };
/** @type {[number, number]} */
const UNITS_OF_TAKE = [1, 1000];
const VALUES_HELP = `Values are JSON. For other types, write:
  {"$timestamp": "2024-01-31T12:00:00Z"}    {"$integer": "9007199254740993"}
  {"$double": "NaN"}                        {"$bytes": "<base64>"}
  {"$geoPoint": [52.5, 13.4]}               {"$reference": "posts/p1"}
  {"$vector": [0.1, 0.2]}                   {"$serverTimestamp": true}
  {"$map": {"$name": "as it is"}}
$double takes no whole number up to 9007199254740991: your integers are stored
as such.`;

/** @type {Argument} */
const FILE = { name: 'file', usual: 'firestore.indexes.json', sentence: 'The index file; - for the standard input.' };

/** The flags of the commands for rules. @type {Argument[]} */
const INTO = [
  { name: 'into', metavar: 'FILE', sentence: 'Your firestore.rules, which gets these rules and keeps its own; - for the standard input. Notes '
    + 'say which documents become readable, and which of your rules let others break a counter or a stock.' },
  { name: 'write', type: 'flag', sentence: 'Changes the file of --into, or makes it.' },
];

/**
 * @param {string} file A file in commands/, without its ending.
 * @param {string} name The function in it.
 */
const from = (file, name) => async () => ({ run: (await import(`./commands/${file}.js`))[name] });

/** @type {Command[]} */
export const COMMANDS = [
  {
    name: 'counter create', connects: true, load: from('counter', 'create'), takes: [COUNTER_PATH],
    sentence: 'Creates a counter’s documents in one commit. An existing counter stays unchanged.',
    options: [...COUNTER_OR_FIELDS, { name: 'ifExists', words: ['keep', 'error'], usual: 'keep', sentence: 'keep accepts an existing counter. error fails.' }],
  },
  {
    name: 'counter increment', connects: true, load: from('counter', 'increment'), more: STORE_HELP,
    sentence: 'Adds to a counter, exactly once, and waits until the server confirms it, however long your network is away.',
    takes: [COUNTER_PATH, {
      name: 'delta', type: 'amounts', usual: 1, sentence: 'The amount: an integer of up to 64 bits, or a number with a fraction. With --fields, an amount for each field that '
        + 'you want to change: love=2,like=-1.',
    }],
    options: [
      ...COUNTER_OR_FIELDS,
      { name: 'delivery', words: DELIVERIES, usual: 'exactly-once', sentence: 'The protection if an answer gets lost. exactly-once costs a second write; the others can count twice.' },
      { name: 'maxDelta', type: 'amount', sentence: 'The most that one commit adds. Set it if your security rules bound it.' },
    ],
  },
  {
    name: 'counter flush', connects: true, load: from('counter', 'flush'), takes: [COUNTER_PATH], options: COUNTER, more: STORE_HELP,
    sentence: 'Sends the increments that your earlier calls left waiting. Exits with 1 if one still waits, or was not counted.',
  },
  {
    name: 'counter get', connects: true, load: from('counter', 'get'), takes: [COUNTER_PATH],
    sentence: 'Prints a counter’s total, or the totals of all its fields.',
    options: [
      ...COUNTER_OR_FIELDS,
      { name: 'source', words: ['sum', 'shards'], sentence: 'sum lets the server add up with one read. shards reads every shard. Default: sum.' },
      { name: 'maxAgeMs', type: 'number', range: ANY, sentence: 'The greatest age of the total. You then get one that all readers share.' },
    ],
  },
  {
    name: 'counter watch', connects: true, load: from('counter', 'watch'), takes: [COUNTER_PATH],
    sentence: 'Prints a counter’s total, or the totals of all its fields, whenever they change, until Ctrl-C.',
    options: [
      ...COUNTER_OR_FIELDS,
      WATCH_INTERVAL,
      { name: 'maxAgeMs', type: 'number', range: ANY, sentence: 'The greatest age of the total. You then get one that all readers share.' },
    ],
  },
  {
    name: 'counter resize', connects: true, load: from('counter', 'resize'), options: [
      ...COUNTER_OR_FIELDS, { name: 'atLeast', type: 'flag', sentence: 'Only adds shards.' },
    ],
    takes: [COUNTER_PATH, { name: 'number', type: 'integer', range: SHARDS, needed: true, sentence: 'The new number of shards.' }],
    sentence: 'Changes the number of shards while your clients keep counting. After an interruption, call it again.',
  },
  {
    name: 'counter publish', connects: true, load: from('counter', 'publish'), takes: [COUNTER_PATH],
    sentence: 'Writes the totals of a counter with several fields into a map in its document, so that you can sort a list by them.',
    options: [...COUNTER, { ...FIELDS, needed: true }, { name: 'field', usual: 'totals', sentence: 'The field that gets the map.' }],
  },
  {
    name: 'counter stats', connects: true, load: from('counter', 'stats'), takes: [COUNTER_PATH], options: COUNTER,
    sentence: 'Prints the value of each shard.',
  },
  {
    name: 'counter migrate', connects: true, load: from('counter', 'migrate'), takes: [COUNTER_PATH],
    sentence: 'Moves a counter of the firestore-counter extension into a distributed counter, while your clients keep counting.',
    options: [
      { ...COUNTER[2], name: 'countField', needed: true, sentence: 'The field that the extension counts.' },
      { name: 'toPath', inApi: 'to.path', sentence: 'The path of the new counter. Default: the same path.' },
      { name: 'toLayout', words: LAYOUTS.slice(0, -1), usual: 'web-sample', sentence: 'The layout of the new counter.' },
      { name: 'toShards', type: 'integer', range: SHARDS, sentence: 'The number of shards of the new counter. Default: 10. An existing counter keeps its number.' },
    ],
  },
  {
    name: 'counter cleanup', connects: true, load: from('counter', 'cleanup'), takes: [COUNTER_PATH],
    sentence: 'Deletes expired markers of all commits, and expired keys of a counter’s increments. Use it if you have no TTL policy.',
    options: [...COUNTER, { name: 'olderThan', metavar: 'TIME', sentence: 'Deletes only those that expired before this time: 2024-01-31T00:00:00Z. Default: now.' }],
  },
  {
    name: 'counter delete', connects: true, load: from('counter', 'remove'), takes: [COUNTER_PATH], options: COUNTER_OR_FIELDS,
    sentence: 'Deletes a counter and its bookkeeping. Your other fields and other counters stay.',
  },
  ...CHOICE_COMMANDS,
  {
    name: 'query', connects: true, load: from('collection', 'query'), takes: [COLLECTION_PATH], options: [...QUERY, CHUNK_READS, CONSISTENT_READ], more: VALUES_HELP,
    sentence: 'Prints the documents of a sharded collection, in the order of one query over the same data.',
  },
  {
    name: 'count', connects: true, load: from('collection', 'count'), takes: [COLLECTION_PATH], options: [...QUERY, CONSISTENT_READ],
    sentence: 'Prints the number of documents of a sharded collection, up to the limit. The server counts: you pay one read for each 1,000 of a chunk.',
  },
  {
    name: 'insert', connects: true, load: from('collection', 'insert'), more: VALUES_HELP,
    sentence: 'Adds documents to a sharded collection, one for each line of JSON. The server applies each commit as a whole, and once.',
    takes: [COLLECTION_PATH, { name: 'file', usual: '-', sentence: 'The file with the lines; - for the standard input.' }],
    options: [
      ...COLLECTION,
      { name: 'times', many: true, metavar: 'FIELD', sentence: 'A field whose strings are times, such as 2024-01-31T12:00:00Z.' },
      { name: 'skip', type: 'integer', range: ANY, usual: 0, sentence: 'The number of lines to skip at the beginning, because your interrupted call wrote them.' },
    ],
  },
  {
    name: 'plan', connects: true, load: from('collection', 'plan'), takes: [COLLECTION_PATH], options: QUERY,
    sentence: 'Prints the requests of a query, and the index that it needs. Sends no request.',
  },
  {
    name: 'backfill', connects: true, load: from('collection', 'backfill'), takes: [COLLECTION_PATH], options: RESHARDING,
    sentence: 'Gives a shard to each document without one. Let your app write the shard field first, and run this while it writes less than 500 documents '
      + 'a second. Ctrl-C stops it, and prints the '
      + 'bill so far and the command that continues.',
  },
  {
    name: 'reshard', connects: true, load: from('collection', 'reshard'), takes: [COLLECTION_PATH], options: RESHARDING,
    sentence: 'Moves the documents of a live collection from the shard values of --also-read to the values of --shards. Ctrl-C stops it, and prints '
      + 'the bill so far and the command that continues.',
  },
  {
    name: 'ids create', connects: true, load: from('ids', 'create'),
    sentence: 'Creates a sequence of unique ids. An existing sequence stays unchanged.',
    takes: [{ name: 'path', needed: true, sentence: 'The path of the sequence’s document, such as sequences/orders.' }],
    options: [
      { name: 'shards', type: 'integer', range: SHARDS, usual: 10, sentence: 'The number of documents of the sequence. Each gives you about one block a second.' },
      { name: 'maxShards', type: 'integer', range: SHARDS, sentence: 'The most shards that the sequence can ever have. Default: 100, or --shards if that is more.' },
      { name: 'startAt', type: 'integer', range: [1, Number.MAX_SAFE_INTEGER], usual: 1, sentence: 'The least id. To go on from numbers of your own, set one more than the largest of them.' },
    ],
  },
  {
    name: 'ids take', connects: true, load: from('ids', 'take'),
    sentence: 'Takes unique ids from a sequence, and prints one on each line.',
    takes: [
      { name: 'path', needed: true, sentence: 'The path of the sequence’s document.' },
      { name: 'number', type: 'integer', range: [1, 1_000_000], usual: 1, sentence: 'The number of ids that you want.' },
    ],
    options: [{ name: 'shards', type: 'integer', range: SHARDS, sentence: 'The number of shards in use. Default: the number in the sequence’s document.' }],
  },
  {
    name: 'indexes audit', load: from('indexes', 'audit'), takes: [FILE],
    sentence: 'Lists the indexes of your firestore.indexes.json that take only about 500 writes a second, and apart from them those that '
      + 'may. Exits with 1 if an index is hot.',
    options: [
      { name: 'rising', many: true, metavar: 'FIELD', sentence: 'A field that rises, with its collection: instruments.timestamp.' },
      { name: 'notRising', many: true, metavar: 'FIELD', sentence: 'A field that does not rise, whatever its name suggests: users.birthday. users.* stands for all other fields '
        + 'of the collection.' },
      { name: 'known', metavar: 'FILE', sentence: 'A file that keeps both lists: {"rising": {"instruments": ["timestamp"]}, "notRising": {"users": ["birthday"]}}.' },
      { name: 'strict', type: 'flag', sentence: 'Exits with 1 if an index may be hot.' },
      { name: 'shardField', many: true, sentence: 'A field with random values, with its collection. Default: shard.' },
    ],
  },
  {
    name: 'indexes sample', connects: true, load: from('sample', 'sample'),
    takes: [{ name: 'collection', needed: true, sentence: 'The path of your collection, such as instruments.' }],
    sentence: 'Reads some documents, and lists the fields whose values follow the time at which the documents were created.',
    options: [
      { name: 'documents', type: 'integer', range: [10, 1000], usual: 300, sentence: 'The number of documents to read. You pay one read for each.' },
      { name: 'known', metavar: 'FILE', sentence: 'Keeps the answers in this file. Pass it to indexes audit --known.' },
    ],
  },
  {
    name: 'indexes rewrite', load: from('indexes', 'rewrite'), takes: [FILE],
    sentence: 'Prints your firestore.indexes.json with the changes that sharded collections, counters, stocks and ids need. If old indexes must go, '
      + 'prints two files to deploy one after the other, and the steps in their order.',
    options: [
      { name: 'collection', sentence: 'A collection of yours that takes more than 500 writes a second. One that takes less needs no change.' },
      { name: 'writesPerSecond', type: 'number', range: ANY, sentence: 'The writes that the collection takes in a second. Up to 500, nothing changes. Default: more.' },
      { name: 'removeOld', type: 'flag', sentence: 'Prints one file, without the old indexes, once no query needs them.' },
      { name: 'shardField', usual: 'shard', sentence: 'The collection’s shard field.' },
      { name: 'orderField', usual: 'timestamp', sentence: 'The collection’s order field.' },
      { name: 'scope', words: ['COLLECTION', 'COLLECTION_GROUP'], usual: 'COLLECTION', sentence: 'The scope of your queries.' },
      { name: 'query', many: true, metavar: 'FIELDS', mayBeEmpty: true, sentence: 'The fields that your query for the newest documents fixes: exchange,instrumentType. An empty one (--query=) has no filter. '
        + 'Default: the queries that your file has indexes for, and those by the order field alone.' },
      { name: 'counters', type: 'flag', sentence: 'Adds the TTL policies and exemptions of counters.' },
      { name: 'ids', type: 'flag', sentence: 'Adds the exemptions of sequences of ids.' },
      { name: 'stocks', type: 'flag', sentence: 'Adds the TTL policies and exemptions of stocks.' },
      ...CHOICES,
      { name: 'write', type: 'flag', sentence: 'Changes your file in place, and writes the second one beside it: firestore.indexes.later.json.' },
    ],
  },
  {
    name: 'rules', load: from('rules', 'run'),
    sentence: 'Prints firestore.rules for your distributed counters, or joins them into your file. For stocks, run stock rules.',
    takes: [{ name: 'path', needed: true, sentence: 'The path of your counters: posts/{post}, with a name in braces for any id.' }],
    options: [
      { name: 'layout', words: LAYOUTS.slice(0, -1), usual: 'web-sample', sentence: 'The layout of your counters.' },
      { name: 'shards', type: 'integer', range: SHARDS, usual: 10, sentence: 'The most shards that a counter can have.' },
      { name: 'maxDelta', type: 'number', usual: 1, sentence: 'The most that one write can add to a shard or take away. Pass the same maxDelta in your app.' },
      { name: 'fractions', type: 'flag', sentence: 'Allows increments with a fraction.' },
      { name: 'access', words: ['public', 'signed-in', 'one-vote', 'one-like'], usual: 'public', sentence: 'The people who can count: everyone, your users, or each user once (one-vote for ever, one-like until they take it back).' },
      { name: 'missingShards', words: ['made', 'refused'], usual: 'made', sentence: 'made lets an increment create its shard. refused does not.' },
      { name: 'parent', words: ['readable', 'private'], usual: 'readable', sentence: 'readable lets everyone read the document with the number of shards. '
        + 'If it is private, pass the number of shards in every client.' },
      ...INTO,
      { name: 'admin', metavar: 'EXPRESSION', sentence: 'A condition for the users who can create, resize and delete counters. Default: only your servers can.' },
      ...CHOICES,
    ],
  },
  {
    name: 'stock create', connects: true, load: from('stock', 'create'), takes: [STOCK_PATH],
    sentence: 'Creates a stock’s documents in one commit. An existing stock stays unchanged.',
    options: [
      STOCK_SHARDS,
      { name: 'units', type: 'integer', range: [0, Number.MAX_SAFE_INTEGER], needed: true, sentence: 'The number of units that your users can take.' },
    ],
  },
  {
    name: 'stock take', connects: true, load: from('stock', 'take'),
    sentence: 'Takes units of a stock, all of them or nothing. Exits with 1 if fewer are left.',
    takes: [STOCK_PATH, { name: 'number', inApi: 'units', type: 'integer', range: UNITS_OF_TAKE, usual: 1, sentence: 'The number of units that you want.' }],
    options: [
      STOCK_SHARDS,
      { name: 'key', sentence: 'The name of the take, such as an order’s id. The same key takes once, however often you run this. Default: a random key, which is printed.' },
      { name: 'holdFor', metavar: 'TIME', sentence: 'The time after which the units go back unless you confirm: 90s, 10min, 2h or 1d, up to 30 days. Default: they stay yours.' },
    ],
  },
  {
    name: 'stock put-back', connects: true, load: from('stock', 'putBack'),
    sentence: 'Puts units of a take back, never more than it has.',
    takes: [STOCK_PATH, { name: 'number', inApi: 'units', type: 'integer', range: UNITS_OF_TAKE, sentence: 'The number of units that you put back. Default: all.' }],
    options: [TAKE_KEY],
  },
  {
    name: 'stock confirm', connects: true, load: from('stock', 'confirm'), takes: [STOCK_PATH], options: [TAKE_KEY],
    sentence: 'Makes a hold final. Exits with 1 if its time had passed, and its units have gone back.',
  },
  {
    name: 'stock add', connects: true, load: from('stock', 'add'),
    sentence: 'Adds units to a stock.',
    takes: [
      STOCK_PATH,
      { name: 'number', inApi: 'units', type: 'integer', range: [1, Number.MAX_SAFE_INTEGER], needed: true, sentence: 'The number of units that you add.' },
    ],
    options: [STOCK_SHARDS, { name: 'key', sentence: 'The name of this delivery. The same key adds once, however often you run this. Default: a random key.' }],
  },
  {
    name: 'stock left', connects: true, load: from('stock', 'left'), takes: [STOCK_PATH],
    sentence: 'Prints the number of units that your users can still take.',
  },
  {
    name: 'stock watch', connects: true, load: from('stock', 'watch'), takes: [STOCK_PATH],
    sentence: 'Prints the number of units that are left whenever it changes, until Ctrl-C.',
    options: [WATCH_INTERVAL],
  },
  {
    name: 'stock delete', connects: true, load: from('stock', 'remove'), takes: [STOCK_PATH],
    sentence: 'Deletes a stock with its takes and holds. The other fields and collections of its document stay.',
  },
  {
    name: 'stock rules', load: from('rules', 'stock'),
    sentence: 'Prints firestore.rules for your stocks, or joins them into your file.',
    takes: [{ name: 'path', needed: true, sentence: 'The path of your stocks: events/{event}, with a name in braces for any id.' }],
    options: [
      { name: 'access', words: ['public', 'signed-in', 'one-take'], usual: 'public', sentence: 'The people who can take: everyone, your users, or each user once.' },
      { name: 'maxUnits', type: 'integer', range: [1, 1000], usual: 1, sentence: 'The most units of one take.' },
      { name: 'confirm', words: ['user', 'server'], usual: 'user', sentence: 'server lets only your server make a hold final, such as after a payment.' },
      ...INTO,
      { name: 'admin', metavar: 'EXPRESSION', sentence: 'A condition for the users who can create and delete stocks, and add units. Default: only your servers can.' },
    ],
  },
  {
    name: 'shards', load: from('capacity', 'shards'),
    sentence: 'Prints the number of shards that your load needs.',
    options: [
      { name: 'writesPerSecond', type: 'number', range: ANY, needed: true, sentence: 'Your commits a second, over a long time. Increments of one process within flushMs share a commit.' },
      { name: 'burst', type: 'number', range: ANY, sentence: 'Your commits a second at the peak. Default: --writes-per-second.' },
    ],
  },
  {
    name: 'cost', load: from('capacity', 'cost'),
    sentence: 'Prints the price of your month, by Firestore’s published prices.',
    options: [
      { name: 'increments', inApi: 'increments.perMonth', type: 'number', range: ANY, sentence: 'Your increments a month.' },
      { name: 'delivery', inApi: 'increments.delivery', words: DELIVERIES, sentence: 'The delivery of your increments. Default: exactly-once.' },
      { name: 'perCommit', inApi: 'increments.perCommit', type: 'number', range: [1, Infinity], sentence: 'The number of increments in one commit. Default: 1.' },
      { name: 'totals', inApi: 'totals.perMonth', type: 'number', range: ANY, sentence: 'The totals that you read a month.' },
      { name: 'totalShards', inApi: 'totals.shards', type: 'integer', range: SHARDS, sentence: 'The number of shards of their counters. Default: 10.' },
      { name: 'totalSource', inApi: 'totals.source', words: ['sum', 'shards'], sentence: 'sum lets the server add up. shards reads every shard. Default: sum.' },
      { name: 'choices', inApi: 'choices.perMonth', type: 'number', range: ANY, sentence: 'The ratings and reactions that your users set a month.' },
      { name: 'choicesChanged', inApi: 'choices.changed', type: 'number', range: [0, 1], sentence: 'The share of them that changes an earlier one. Default: 0.' },
      { name: 'summaries', inApi: 'summaries.perMonth', type: 'number', range: ANY, sentence: 'The summaries of ratings and reactions that you read a month.' },
      { name: 'summaryShards', inApi: 'summaries.shards', type: 'integer', range: SHARDS, sentence: 'The number of shards of each. Default: 10.' },
      { name: 'summarySource', inApi: 'summaries.source', words: ['sum', 'shards'], sentence: 'sum lets the server add up. shards reads every shard. Default: sum.' },
      { name: 'watches', inApi: 'watches.perMonth', type: 'number', range: ANY, sentence: 'Your watches a month that ask.' },
      { name: 'watchHours', inApi: 'watches.hours', type: 'number', range: ANY, sentence: 'The hours of each watch. Default: 730.' },
      { name: 'watchChanging', inApi: 'watches.changing', type: 'number', range: [0, 1], sentence: 'The share of the time in which the total changes. Default: 1.' },
      { name: 'watchInterval', inApi: 'watches.intervalMs', type: 'number', range: [1, 2 ** 27 - 1], sentence: 'The milliseconds between two readings. Default: 1,000.' },
      { name: 'listens', inApi: 'listens.perMonth', type: 'number', range: ANY, sentence: 'Your watches a month that listen. A list of 20 counters counts as 20 watches.' },
      { name: 'listenShards', inApi: 'listens.shards', type: 'integer', range: SHARDS, sentence: 'The number of shards of their counters. Default: 10.' },
      { name: 'listenChanges', inApi: 'listens.changes', type: 'number', range: ANY, sentence: 'The changes of a counter while one lasts. Default: 0.' },
      { name: 'takes', inApi: 'takes.perMonth', type: 'number', range: ANY, sentence: 'The takes from your stocks a month.' },
      { name: 'takesRefused', inApi: 'takes.refused', type: 'number', range: ANY, sentence: 'The answers that too few units are left. Default: 0.' },
      { name: 'takesHeld', inApi: 'takes.held', type: 'number', range: ANY, sentence: 'The number of your takes that are holds. Default: 0.' },
      { name: 'takesConfirmed', inApi: 'takes.confirmed', type: 'number', range: ANY, sentence: 'The number of your holds that become final. Default: all.' },
      { name: 'takesPutBack', inApi: 'takes.putBack', type: 'number', range: ANY, sentence: 'The number of your takes that go back. Default: 0.' },
      { name: 'takeMonths', inApi: 'takes.months', type: 'number', range: [0, 1200], sentence: 'The months for which you keep a take’s document. Default: 12.' },
      { name: 'takeKey', inApi: 'takes.key', words: ['drawn', 'own'], sentence: 'own if your app chooses the keys of takes. Default: drawn.' },
      { name: 'inserts', inApi: 'inserts.perMonth', type: 'number', range: ANY, sentence: 'The documents that you insert a month.' },
      { name: 'insertIndexes', inApi: 'inserts.indexes', type: 'integer', range: ANY, sentence: 'The index entries of each document. Only the enterprise edition bills them.' },
      { name: 'insertBytes', inApi: 'inserts.documentBytes', type: 'number', range: ANY, sentence: 'The size of each document.' },
      { name: 'queries', inApi: 'queries.perMonth', type: 'number', range: ANY, sentence: 'Your sharded queries a month.' },
      { name: 'queryLimit', inApi: 'queries.limit', type: 'integer', range: [1, Infinity], sentence: 'The limit of each query. You need it with --queries.' },
      { name: 'queryChunks', inApi: 'queries.chunks', type: 'integer', range: [1, Infinity], sentence: 'The number of requests of each query, which plan prints.' },
      { name: 'queryChunkReads', inApi: 'queries.chunkReads', words: ['share', 'whole-page'], sentence: 'The chunk reads of your queries. Default: share.' },
      { name: 'edition', words: ['standard', 'enterprise'], usual: 'standard', sentence: 'Your edition of Firestore.' },
      { name: 'location', sentence: 'The location of your database. Default: us-central1. For an unknown location, give the prices:' },
      { name: 'readPrice', inApi: 'prices.reads', type: 'number', range: ANY, sentence: 'Dollars for a million reads.' },
      { name: 'writePrice', inApi: 'prices.writes', type: 'number', range: ANY, sentence: 'Dollars for a million writes.' },
      { name: 'deletePrice', inApi: 'prices.deletes', type: 'number', range: ANY, sentence: 'Dollars for a million deletes.' },
    ],
  },
  {
    name: 'experiment', load: from('experiment', 'run'),
    sentence: 'Runs a load experiment on the embedded Firestore, minutes of virtual time within seconds.',
    takes: [{ name: 'name', sentence: 'The name of the experiment. Leave it out to list all names.' }],
    options: [
      { name: 'users', type: 'integer', range: [1, 100_000], sentence: 'The number of users, who arrive one after the other.' },
      { name: 'seconds', type: 'integer', range: [1, 3600], sentence: 'The seconds of virtual time.' },
      { name: 'shards', type: 'integer', range: SHARDS, sentence: 'The number of shards of the counter, the collection, the sequence or the stock.' },
      { name: 'units', inApi: 'stock.units', type: 'integer', range: [1, 1_000_000], sentence: 'The number of units of the stock.' },
      { name: 'delivery', words: DELIVERIES, sentence: 'The delivery of the increments.' },
      { name: 'seed', type: 'integer', range: [0, Number.MAX_SAFE_INTEGER], sentence: 'The seed of all random choices: the same options give you the same report.' },
    ],
  },
  {
    name: 'serve', load: from('serve', 'run'),
    sentence: 'Serves an embedded Firestore over HTTP, so that you can test without Java, and under stricter limits than on Google’s emulator. Ctrl-C ends it and deletes its data.',
    options: [
      { name: 'port', type: 'integer', range: [0, 65_535], usual: 8080, sentence: 'The port; 0 for any free port.' },
      { name: 'host', usual: '127.0.0.1', metavar: 'ADDRESS', sentence: 'The address to listen on.' },
      { name: 'limits', words: ['documented', 'none'], usual: 'none', sentence: 'documented lets commits wait and fail by Firestore’s published limits. A fresh collection then takes 500 writes a second at first, '
        + 'whatever its shards.' },
      { name: 'indexes', metavar: 'FILE', sentence: 'Your firestore.indexes.json. A query without an index in it is refused, like on Firestore.' },
      { name: 'needed', metavar: 'FILE', sentence: 'The file for the firestore.indexes.json that your queries needed, written at the end. An existing file keeps its indexes. Default: printed, if it differs from yours.' },
      { name: 'dialect', words: ['emulator', 'production', 'proxy'], usual: 'emulator', sentence: 'The wording of answers: like Google’s emulator, like Firestore’s servers, or as altered '
        + 'by a proxy.' },
      { name: 'latencyMs', metavar: 'MS', usual: '0', sentence: 'The time of an answer: one number, or two numbers for a random time between them, such as 5,30.' },
      { name: 'seed', type: 'integer', range: [0, Number.MAX_SAFE_INTEGER], usual: 1, sentence: 'The seed of all random choices.' },
    ],
    more: `Clients: shardline; firebase/firestore in browsers; firebase/firestore/lite;
@google-cloud/firestore with preferRest: true.
To empty a database:
DELETE /emulator/v1/projects/PROJECT/databases/DATABASE/documents`,
  },
  {
    name: 'completion', load: from('completion', 'run'), sentence: 'Prints a script by which a shell completes the commands and options of `shardline`.',
    takes: [{ name: 'shell', needed: true, words: ['bash', 'zsh', 'fish'], sentence: 'The shell.' }],
    more: `bash: source <(shardline completion bash)     in ~/.bashrc
zsh:  source <(shardline completion zsh)      in ~/.zshrc, after compinit
fish: shardline completion fish | source      in ~/.config/fish/config.fish`,
  },
];

/** The first word of each command with two words. */
export const GROUPS = [...new Set(COMMANDS.map(({ name }) => name.split(' ')).filter(({ length }) => length > 1).map(([group]) => String(group)))];

/** @param {string} name */
export function commandNamed(name) {
  return /** @type {Command} */ (COMMANDS.find((command) => command.name === name));
}

/**
 * @param {string[]} words The command line.
 * @returns {{command?: Command, rest: string[]}} `rest`: the words behind the command's name.
 */
export function findCommand(words) {
  for (const length of [2, 1]) {
    const command = commandNamed(words.slice(0, length).join(' '));
    if (command) return { command, rest: words.slice(length) };
  }
  return { rest: [] };
}
