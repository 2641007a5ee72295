// Which commands there are, and what they take: a table for each. Names, ranges and sentences are those of the API.

/**
 * @typedef {import('./options.js').Argument} Argument
 * @typedef {import('./options.js').Command} Command
 */

const LAYOUTS = ['web', 'mobile', 'node', 'go', 'php', 'ruby', 'collection', 'extension'];
const DELIVERIES = ['exactly-once', 'at-least-once', 'transaction'];
/** @type {[number, number]} */
const SHARDS = [1, 10_000];
/** @type {[number, number]} */
const ANY = [0, Infinity];

const STORE_HELP = `Increments wait in files until the server has confirmed them, in the folder
SHARDLINE_STORE (default ~/.local/state/shardline). Any number of processes may
use it at once.`;

/** @type {Argument} */
const COUNTER_PATH = { name: 'path', needed: true, sentence: 'Of the counter’s document, such as posts/p1; in some layouts of its collection of shards.' };
/** @type {Argument[]} */
const COUNTER = [
  { name: 'shards', type: 'integer', range: SHARDS, sentence: 'How many shards the counter has. Default: what its document says; create makes 10.' },
  { name: 'layout', words: LAYOUTS, usual: 'web', sentence: 'Whose sample of the documentation the counter’s documents are like.' },
  { name: 'countField', metavar: 'FIELD', sentence: 'In the layout extension: the field that is counted.' },
];

/** @type {Argument} */
const COLLECTION_PATH = { name: 'collection', needed: true, sentence: 'The path of the collection, such as instruments.' };
/** @type {Argument} */
const SHARD_VALUES = { name: 'shards', needed: true, metavar: 'VALUES', sentence: 'The shard values: x,y,z, a JSON list, or a number: 3 stands for 0, 1 and 2.' };
/** @type {Argument[]} */
const COLLECTION = [
  SHARD_VALUES,
  { name: 'alsoRead', metavar: 'VALUES', sentence: 'Shard values that documents may have besides, while the values change: see reshard.' },
  { name: 'shardField', usual: 'shard', sentence: 'The field that holds the shard value.' },
  { name: 'orderField', usual: 'timestamp', sentence: 'The rising field by which documents are sorted.' },
];
/** @type {Argument[]} */
const QUERY = [
  { ...SHARD_VALUES, needed: false, sentence: `${SHARD_VALUES.sentence} Without them it is an ordinary collection, which has no shard field.` },
  ...COLLECTION.slice(1),
  { name: 'where', many: true, metavar: 'CONDITION', sentence: 'A field, an operator (== != < <= > >= in not-in array-contains array-contains-any) and a value: '
    + '\'price.currency == USD\'. The value is JSON, a time such as 2024-01-31T12:00:00Z, or a text without quotes. Conditions are joined in JSON: '
    + '{"or": ["price > 5", {"and": ["isNew == true", "price > 3"]}]}.' },
  { name: 'order', many: true, metavar: 'ORDER', sentence: 'asc or desc: by the order field. Or a field, and behind it perhaps desc: \'price desc\'. Default: by the order field.' },
  { name: 'limit', type: 'integer', range: [1, 2_147_483_647], sentence: 'At most so many documents. Default: all.' },
  { name: 'select', metavar: 'FIELDS', sentence: 'Only these fields: symbol,price.micros.' },
  { name: 'startAt', metavar: 'VALUE', sentence: 'Begins where the order field has this value.' },
  { name: 'startAfter', metavar: 'VALUE', sentence: 'Begins behind this value.' },
  { name: 'endAt', metavar: 'VALUE', sentence: 'Ends where the order field has this value.' },
  { name: 'endBefore', metavar: 'VALUE', sentence: 'Ends in front of this value.' },
  { name: 'after', metavar: 'TOKEN', sentence: 'Goes on where a page with a limit has ended, which says so: with --json as JSON, on the standard error.' },
];
/** @type {Argument[]} */
const RESHARDING = [
  ...COLLECTION,
  { name: 'dryRun', type: 'flag', sentence: 'Reads everything and writes nothing; tells what it would cost.' },
  { name: 'location', usual: 'us-central1', sentence: 'At whose prices it says what it costs: us-central1 or nam5. For others give both prices.' },
  { name: 'readPrice', inApi: 'prices', type: 'number', range: [0, 1_000_000], sentence: 'Dollars for a million.' },
  { name: 'writePrice', inApi: 'prices', type: 'number', range: [0, 1_000_000], sentence: 'Dollars for a million.' },
  { name: 'writesPerSecond', type: 'number', range: [1, 10_000], sentence: 'At the most. Never more than Firestore’s rule for new traffic: 500 at first, half as many again every '
    + 'five minutes.' },
  { name: 'resumeFrom', metavar: 'TOKEN', sentence: 'Goes on where a call was interrupted, which has printed it; or behind the document of this path.' },
];
/** @type {Argument} */
const FETCH = { name: 'fetch', words: ['adaptive', 'eager'], usual: 'adaptive', sentence: 'Whether each chunk of shards is asked for its share and again if need be, or at '
  + 'once for all.' };
/** @type {Argument} */
const SNAPSHOT = { name: 'snapshot', type: 'flag', sentence: 'Reads everything as of one moment.' };
const VALUES_HELP = `Values are JSON. What JSON cannot say:
  {"$timestamp": "2024-01-31T12:00:00Z"}    {"$integer": "9007199254740993"}
  {"$double": "NaN"}                        {"$bytes": "<base64>"}
  {"$geoPoint": [52.5, 13.4]}               {"$reference": "posts/p1"}
  {"$vector": [0.1, 0.2]}                   {"$serverTimestamp": true}
  {"$map": {"$name": "as it is"}}
$double takes no whole number up to 9007199254740991: those are always written
as integers.`;

/** @type {Argument} */
const FILE = { name: 'file', usual: 'firestore.indexes.json', sentence: 'The index file; - for the standard input.' };

/**
 * @param {string} file In commands/.
 * @param {string} name Of the function.
 */
const from = (file, name) => async () => ({ run: (await import(`./commands/${file}.js`))[name] });

/** @type {Command[]} */
export const COMMANDS = [
  {
    name: 'counter create', connects: true, load: from('counter', 'create'), takes: [COUNTER_PATH],
    sentence: 'Makes a counter’s documents, in one commit. Never changes what is there.',
    options: [...COUNTER, { name: 'ifExists', words: ['keep', 'error'], usual: 'keep', sentence: 'Whether a counter that is there already is an error.' }],
  },
  {
    name: 'counter increment', connects: true, load: from('counter', 'increment'), more: STORE_HELP,
    sentence: 'Adds to a counter, exactly once, and waits until the server has confirmed it, however long the network is away.',
    takes: [COUNTER_PATH, { name: 'delta', type: 'amount', usual: 1, sentence: 'What is added: an integer of up to 64 bits, or a number with a fraction.' }],
    options: [
      ...COUNTER,
      { name: 'delivery', words: DELIVERIES, usual: 'exactly-once', sentence: 'What is done when an answer is lost.' },
      { name: 'maxDelta', type: 'amount', sentence: 'What one commit may add at the most, where security rules bound it.' },
    ],
  },
  {
    name: 'counter flush', connects: true, load: from('counter', 'flush'), takes: [COUNTER_PATH], options: COUNTER, more: STORE_HELP,
    sentence: 'Sends the increments that earlier calls have left waiting.',
  },
  {
    name: 'counter get', connects: true, load: from('counter', 'get'), takes: [COUNTER_PATH],
    sentence: 'Prints a counter’s total.',
    options: [
      ...COUNTER,
      { name: 'source', words: ['sum', 'shards'], sentence: 'Whether the server adds up, for one read, or every shard is read. Default: sum.' },
      { name: 'maxAgeMs', type: 'number', range: ANY, sentence: 'How old the total may be: then it is one that all readers share.' },
    ],
  },
  {
    name: 'counter watch', connects: true, load: from('counter', 'watch'), takes: [COUNTER_PATH],
    sentence: 'Prints a counter’s total whenever it changes, until Ctrl-C.',
    options: [
      ...COUNTER,
      { name: 'intervalMs', type: 'number', range: [1, 2 ** 27 - 1], usual: 1000, sentence: 'From one reading to the next while the total changes. Otherwise up to 16 times as long.' },
      { name: 'maxAgeMs', type: 'number', range: ANY, sentence: 'As for counter get.' },
    ],
  },
  {
    name: 'counter resize', connects: true, load: from('counter', 'resize'), options: [
      ...COUNTER, { name: 'atLeast', type: 'flag', sentence: 'Takes no shards away.' },
    ],
    takes: [COUNTER_PATH, { name: 'number', type: 'integer', range: SHARDS, needed: true, sentence: 'How many shards there are to be.' }],
    sentence: 'Changes the number of shards while others keep counting. May be called again when it was interrupted.',
  },
  {
    name: 'counter stats', connects: true, load: from('counter', 'stats'), takes: [COUNTER_PATH], options: COUNTER,
    sentence: 'Prints what each shard holds.',
  },
  {
    name: 'counter migrate', connects: true, load: from('counter', 'migrate'), takes: [COUNTER_PATH],
    sentence: 'Moves a counter of the firestore-counter extension into a distributed counter, while others keep counting.',
    options: [
      { ...COUNTER[2], name: 'countField', needed: true, sentence: 'The field that the extension counts.' },
      { name: 'toPath', sentence: 'Where to. Default: the same path.' },
      { name: 'toLayout', words: LAYOUTS.slice(0, -1), usual: 'web', sentence: 'Of the new counter.' },
      { name: 'toShards', type: 'integer', range: SHARDS, usual: 10, sentence: 'Of the new counter.' },
    ],
  },
  {
    name: 'counter cleanup', connects: true, load: from('counter', 'cleanup'), takes: [COUNTER_PATH],
    sentence: 'Deletes the markers of all commits, and the keys of a counter’s increments, that have expired, where there is no TTL policy that does.',
    options: [...COUNTER, { name: 'olderThan', metavar: 'TIME', sentence: 'Only those that expired before then: 2024-01-31T00:00:00Z. Default: now.' }],
  },
  {
    name: 'counter delete', connects: true, load: from('counter', 'remove'), takes: [COUNTER_PATH], options: COUNTER,
    sentence: 'Deletes a counter, and all that was kept for it. Other fields and other counters stay.',
  },
  {
    name: 'query', connects: true, load: from('collection', 'query'), takes: [COLLECTION_PATH], options: [...QUERY, FETCH, SNAPSHOT], more: VALUES_HELP,
    sentence: 'Prints the documents of a sharded collection, as one query over the same data would return them.',
  },
  {
    name: 'count', connects: true, load: from('collection', 'count'), takes: [COLLECTION_PATH], options: [...QUERY, SNAPSHOT],
    sentence: 'Prints how many documents of a sharded collection there are, up to the limit. The server counts: one read for each 1,000 of a chunk.',
  },
  {
    name: 'insert', connects: true, load: from('collection', 'insert'), more: VALUES_HELP,
    sentence: 'Adds documents to a sharded collection, one for each line of JSON. Each commit is written as a whole or not at all, and never twice.',
    takes: [COLLECTION_PATH, { name: 'file', usual: '-', sentence: 'With the lines; - for the standard input.' }],
    options: [
      ...COLLECTION,
      { name: 'times', many: true, metavar: 'FIELD', sentence: 'A field whose texts are times, such as 2024-01-31T12:00:00Z.' },
      { name: 'skip', type: 'integer', range: ANY, usual: 0, sentence: 'How many lines to leave out at the beginning: those that an interrupted call has written.' },
    ],
  },
  {
    name: 'plan', connects: true, load: from('collection', 'plan'), takes: [COLLECTION_PATH], options: QUERY,
    sentence: 'Prints what a query would ask for, and the index that it needs. Sends nothing.',
  },
  {
    name: 'backfill', connects: true, load: from('collection', 'backfill'), takes: [COLLECTION_PATH], options: RESHARDING,
    sentence: 'Gives a shard to each document of a live collection that has none. Let the app write the shard field before. Stops at Ctrl-C, and '
      + 'prints what was billed and the command that goes on.',
  },
  {
    name: 'reshard', connects: true, load: from('collection', 'reshard'), takes: [COLLECTION_PATH], options: RESHARDING,
    sentence: 'Moves the documents of a live collection from the shard values of --also-read to those of --shards. Stops at Ctrl-C, and prints what '
      + 'was billed and the command that goes on.',
  },
  {
    name: 'ids create', connects: true, load: from('ids', 'create'),
    sentence: 'Makes a sequence of unique ids. Never changes what is there.',
    takes: [{ name: 'path', needed: true, sentence: 'Of the sequence’s document, such as sequences/orders.' }],
    options: [
      { name: 'shards', type: 'integer', range: SHARDS, usual: 10, sentence: 'Over how many documents it is spread. Each gives away about one block a second.' },
      { name: 'maxShards', type: 'integer', range: SHARDS, sentence: 'How many shards it may ever have. Default: 100, or as many as shards.' },
      { name: 'startAt', type: 'integer', range: [1, Number.MAX_SAFE_INTEGER], usual: 1, sentence: 'The least id. To go on from numbers that were given away before, set one more than the largest of them.' },
    ],
  },
  {
    name: 'ids take', connects: true, load: from('ids', 'take'),
    sentence: 'Takes unique ids from a sequence, and prints them, one to a line.',
    takes: [
      { name: 'path', needed: true, sentence: 'Of the sequence’s document.' },
      { name: 'number', type: 'integer', range: [1, 1_000_000], usual: 1, sentence: 'How many.' },
    ],
    options: [{ name: 'shards', type: 'integer', range: SHARDS, sentence: 'How many shards are in use. Default: what the sequence’s document says.' }],
  },
  {
    name: 'indexes audit', load: from('indexes', 'audit'), takes: [FILE],
    sentence: 'Says which indexes of a firestore.indexes.json take about 500 writes a second only, and apart from them which ones may. Ends with 1 if an '
      + 'index is hot.',
    options: [
      { name: 'rising', many: true, metavar: 'FIELD', sentence: 'A field that rises, with its collection: instruments.timestamp.' },
      { name: 'notRising', many: true, metavar: 'FIELD', sentence: 'A field that does not rise, whatever its name suggests: users.birthday. users.* stands for all fields that do not '
        + 'rise for sure.' },
      { name: 'known', metavar: 'FILE', sentence: 'A file that keeps both lists: {"rising": {"instruments": ["timestamp"]}, "notRising": {"users": ["birthday"]}}.' },
      { name: 'strict', type: 'flag', sentence: 'Ends with 1 if an index may be hot.' },
      { name: 'shardField', many: true, sentence: 'A field whose values are random, with its collection. Default: shard.' },
    ],
  },
  {
    name: 'indexes sample', connects: true, load: from('sample', 'sample'),
    takes: [{ name: 'collection', needed: true, sentence: 'The path of the collection, such as instruments.' }],
    sentence: 'Reads some documents and says which of their fields rise: whose values follow the time at which the documents were created.',
    options: [
      { name: 'documents', type: 'integer', range: [10, 1000], usual: 300, sentence: 'How many documents are read; each is billed a read.' },
      { name: 'known', metavar: 'FILE', sentence: 'Keeps the answers in this file, for indexes audit --known.' },
    ],
  },
  {
    name: 'indexes rewrite', load: from('indexes', 'rewrite'), takes: [FILE],
    sentence: 'Prints the firestore.indexes.json that sharded collections, counters and ids need, made from the one that there is. If old indexes are to go, prints '
      + 'two files to deploy one after the other, and says what to do in which order.',
    options: [
      { name: 'collection', sentence: 'A collection that takes more than 500 writes a second. One that takes less needs no change.' },
      { name: 'writesPerSecond', type: 'number', range: ANY, sentence: 'How many the collection takes. Up to 500, nothing changes. Default: more.' },
      { name: 'removeOld', type: 'flag', sentence: 'Prints one file, without the old indexes: no query needs them any more.' },
      { name: 'shardField', usual: 'shard', sentence: 'Of the collection.' },
      { name: 'orderField', usual: 'timestamp', sentence: 'Of the collection.' },
      { name: 'scope', words: ['COLLECTION', 'COLLECTION_GROUP'], usual: 'COLLECTION', sentence: 'Of the queries.' },
      { name: 'query', many: true, metavar: 'FIELDS', sentence: 'The fields that a query for the newest documents fixes: exchange,instrumentType. Default: what the file has indexes for.' },
      { name: 'counters', type: 'flag', sentence: 'Adds what counters need.' },
      { name: 'ids', type: 'flag', sentence: 'Adds what sequences of ids need.' },
      { name: 'write', type: 'flag', sentence: 'Changes the file in place, and writes the second one beside it: firestore.indexes.later.json.' },
    ],
  },
  {
    name: 'rules', load: from('rules', 'run'),
    sentence: 'Prints the firestore.rules for distributed counters, or joins them into a file that there is.',
    takes: [{ name: 'path', needed: true, sentence: 'Where the counters are: posts/{post}, with names in braces for any id.' }],
    options: [
      { name: 'layout', words: LAYOUTS.slice(0, -1), usual: 'web', sentence: 'Of the counters.' },
      { name: 'shards', type: 'integer', range: SHARDS, usual: 10, sentence: 'How many a counter may have at the most.' },
      { name: 'maxDelta', type: 'number', usual: 1, sentence: 'The most that one write may add to a shard or take away.' },
      { name: 'fractions', type: 'flag', sentence: 'Lets increments have a fraction.' },
      { name: 'access', words: ['public', 'signed-in', 'one-vote', 'one-like'], usual: 'public', sentence: 'Who may count.' },
      { name: 'missingShards', words: ['made', 'refused'], usual: 'made', sentence: 'Whether an increment may make the shard that it goes to.' },
      { name: 'parent', words: ['readable', 'private'], usual: 'readable', sentence: 'Whether everybody may read the document that says how many shards '
        + 'there are. If it is private, pass the number of shards in every client.' },
      { name: 'into', metavar: 'FILE', sentence: 'The firestore.rules into which the rules are joined; - for the standard input. What it has stays. Notes '
        + 'say what becomes readable, and which of its rules let others break a counter.' },
      { name: 'write', type: 'flag', sentence: 'Changes the file of --into, or makes it.' },
      { name: 'admin', metavar: 'EXPRESSION', sentence: 'Who may create, resize and delete counters. Default: servers only.' },
    ],
  },
  {
    name: 'shards', load: from('capacity', 'shards'),
    sentence: 'Says how many shards a load needs.',
    options: [
      { name: 'writesPerSecond', type: 'number', range: ANY, needed: true, sentence: 'Commits a second, for long.' },
      { name: 'burst', type: 'number', range: ANY, sentence: 'Commits a second at the most. Default: as many.' },
    ],
  },
  {
    name: 'cost', load: from('capacity', 'cost'),
    sentence: 'Says what a month costs at Firestore’s published prices.',
    options: [
      { name: 'increments', inApi: 'increments.perMonth', type: 'number', range: ANY, sentence: 'Of counters, a month.' },
      { name: 'delivery', inApi: 'increments.delivery', words: DELIVERIES, sentence: 'Of increments. Default: exactly-once.' },
      { name: 'perCommit', inApi: 'increments.perCommit', type: 'number', range: [1, Infinity], sentence: 'How many increments one commit gathers. Default: 1.' },
      { name: 'totals', inApi: 'totals.perMonth', type: 'number', range: ANY, sentence: 'Read a month.' },
      { name: 'totalShards', inApi: 'totals.shards', type: 'integer', range: SHARDS, sentence: 'Of their counters. Default: 10.' },
      { name: 'totalSource', inApi: 'totals.source', words: ['sum', 'shards'], sentence: 'Who adds up. Default: sum.' },
      { name: 'watches', inApi: 'watches.perMonth', type: 'number', range: ANY, sentence: 'A month.' },
      { name: 'watchHours', inApi: 'watches.hours', type: 'number', range: ANY, sentence: 'Of each. Default: 730.' },
      { name: 'watchChanging', inApi: 'watches.changing', type: 'number', range: [0, 1], sentence: 'The share of the time in which the total changes. Default: 1.' },
      { name: 'watchInterval', inApi: 'watches.intervalMs', type: 'number', range: [1, 2 ** 27 - 1], sentence: 'From one reading to the next, in milliseconds. Default: 1,000.' },
      { name: 'inserts', inApi: 'inserts.perMonth', type: 'number', range: ANY, sentence: 'Of documents, a month.' },
      { name: 'insertIndexes', inApi: 'inserts.indexes', type: 'integer', range: ANY, sentence: 'Entries of indexes of each document: only the enterprise edition bills them.' },
      { name: 'insertBytes', inApi: 'inserts.documentBytes', type: 'number', range: ANY, sentence: 'Of each document.' },
      { name: 'queries', inApi: 'queries.perMonth', type: 'number', range: ANY, sentence: 'Sharded ones, a month.' },
      { name: 'queryLimit', inApi: 'queries.limit', type: 'integer', range: [1, Infinity], sentence: 'Of each: needed with --queries.' },
      { name: 'queryChunks', inApi: 'queries.chunks', type: 'integer', range: [1, Infinity], sentence: 'As many as plan says requests.' },
      { name: 'queryFetch', inApi: 'queries.fetch', words: ['adaptive', 'eager'], sentence: 'Default: adaptive.' },
      { name: 'edition', words: ['standard', 'enterprise'], usual: 'standard', sentence: 'Of Firestore.' },
      { name: 'location', sentence: 'Default: us-central1. For those whose prices are not known, give them:' },
      { name: 'readPrice', inApi: 'prices.reads', type: 'number', range: ANY, sentence: 'Dollars for a million.' },
      { name: 'writePrice', inApi: 'prices.writes', type: 'number', range: ANY, sentence: 'Dollars for a million.' },
      { name: 'deletePrice', inApi: 'prices.deletes', type: 'number', range: ANY, sentence: 'Dollars for a million.' },
    ],
  },
  {
    name: 'experiment', load: from('experiment', 'run'),
    sentence: 'Runs a load experiment on the embedded Firestore, minutes of virtual time within seconds.',
    takes: [{ name: 'name', sentence: 'Of the experiment. Without it, their names are printed.' }],
    options: [
      { name: 'users', type: 'integer', range: [1, 100_000], sentence: 'Who arrive one after the other.' },
      { name: 'seconds', type: 'integer', range: [1, 3600], sentence: 'Of virtual time.' },
      { name: 'shards', type: 'integer', range: SHARDS, sentence: 'Of the counter, the collection or the sequence.' },
      { name: 'delivery', words: DELIVERIES, sentence: 'Of increments.' },
      { name: 'seed', type: 'integer', range: [0, Number.MAX_SAFE_INTEGER], sentence: 'The same options give the same report.' },
    ],
  },
  {
    name: 'serve', load: from('serve', 'run'),
    sentence: 'Serves an embedded Firestore over HTTP, for tests: stricter than Google’s emulator, and without Java. Ctrl-C ends it, and its data.',
    options: [
      { name: 'port', type: 'integer', range: [0, 65_535], usual: 8080, sentence: 'Where it listens; 0 for any port that is free.' },
      { name: 'host', usual: '127.0.0.1', metavar: 'ADDRESS', sentence: 'On which it listens.' },
      { name: 'limits', words: ['documented', 'none'], usual: 'none', sentence: 'Whether commits wait and fail as Firestore’s published limits make one expect.' },
      { name: 'indexes', metavar: 'FILE', sentence: 'A firestore.indexes.json: queries that lack an index in it are refused, as Firestore does.' },
      { name: 'needed', metavar: 'FILE', sentence: 'Where to write, at the end, the firestore.indexes.json that was needed. Default: it is printed if it is another one.' },
      { name: 'dialect', words: ['emulator', 'production', 'proxy'], usual: 'emulator', sentence: 'How answers are worded: as Google’s emulator does, as Firestore’s servers do, or as a '
        + 'proxy may between.' },
      { name: 'latencyMs', metavar: 'MS', usual: '0', sentence: 'How long an answer takes: one number, or two to draw between, such as 5,30.' },
      { name: 'seed', type: 'integer', range: [0, Number.MAX_SAFE_INTEGER], usual: 1, sentence: 'Of everything random.' },
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

/** The first words of commands that have two. */
export const GROUPS = [...new Set(COMMANDS.map(({ name }) => name.split(' ')).filter(({ length }) => length > 1).map(([group]) => String(group)))];

/** @param {string} name */
export function commandNamed(name) {
  return /** @type {Command} */ (COMMANDS.find((command) => command.name === name));
}

/**
 * @param {string[]} words Of the command line.
 * @returns {{command?: Command, rest: string[]}} `rest` is what stands behind the command's name.
 */
export function findCommand(words) {
  for (const length of [2, 1]) {
    const command = commandNamed(words.slice(0, length).join(' '));
    if (command) return { command, rest: words.slice(length) };
  }
  return { rest: [] };
}
