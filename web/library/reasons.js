/**
 * Every `error.reason` that apps compare with. A release never renames a reason, and keeps its code and its parameters.
 *
 * The library itself does not import this table, so that no page downloads it. Types and the guide “Errors” are made of it.
 * src/base/reason.h has the reasons of the core, too; a test compares both.
 *
 * - `code`: the error's; null: the server's.
 * - `params`: the names in `error.params`, each a string or a number. A long string is cut. A string is empty if there is nothing to
 *   name or to print.
 * - `when`: the situation, for the guide.
 */
export const REASONS = /** @type {const} */ ({
  // ---- The arguments of a call ----
  'argument-not-allowed': {
    code: 'invalid-argument',
    params: ['argument', 'allowed'],
    when: 'An argument or an option has a wrong value. `allowed` names the permitted values in English: “an integer from 1 to 10,000”.',
  },
  'argument-missing': {
    code: 'invalid-argument',
    params: ['argument', 'allowed'],
    when: 'A required argument or option is missing. `allowed` names the permitted values in English.',
  },
  'argument-unknown': {
    code: 'invalid-argument',
    params: ['argument', 'known'],
    when: 'The call has no such option; `known` lists its options.',
  },
  'argument-unreadable': {
    code: 'invalid-argument',
    params: ['argument'],
    when: 'Shardline cannot read an argument: a getter throws, an object contains itself, or a string is invalid Unicode.',
  },
  'arguments-conflict': {
    code: 'invalid-argument',
    params: ['argument', 'other'],
    when: 'The option `argument` conflicts with `other`.',
  },
  'path-not-allowed': {
    code: 'invalid-argument',
    params: ['path'],
    when: 'Firestore takes no such path or id, or the call needs the path of a document.',
  },
  'field-not-allowed': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'Firestore takes no such field path or name.',
  },
  'value-not-allowed': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'Firestore or the sharded collection cannot store this field’s value.',
  },
  'document-too-large': { code: 'invalid-argument', params: [], when: 'The document is larger than 1 MiB.' },
  'document-lacks-order-field': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'The document lacks the order field of its sharded collection, so no query would find it.',
  },
  'request-too-large': {
    code: 'invalid-argument',
    params: [],
    when: 'The commit is larger than the 10 MiB of one request. Choose fewer shards, or a shorter path.',
  },
  'shard-field-changed': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'You passed a shard value that differs from the document’s. A document moves to another shard only with '
      + '`{ move: true }`.',
  },
  'increment-too-large': { code: 'invalid-argument', params: [], when: 'The increment is more than 1,000 times `maxDelta`.' },
  'resume-from-elsewhere': {
    code: 'invalid-argument',
    params: [],
    when: '`resumeFrom` comes from another collection, other shards or a dry run; or it is not the path of a document of this '
      + 'collection.',
  },
  'query-filter-not-allowed': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'Firestore takes no such filter on this field, or refuses it together with the query’s orders.',
  },
  'query-order-not-allowed': { code: 'invalid-argument', params: [], when: 'Firestore cannot sort the query by these orders.' },
  'query-cursor-not-allowed': {
    code: 'invalid-argument',
    params: [],
    when: 'startAt(), startAfter(), endAt() or endBefore() got zero values, too many, or a document.',
  },
  'query-aggregation-not-allowed': { code: 'invalid-argument', params: [], when: 'count(), sum() or average() cannot take this query.' },
  'query-too-large': {
    code: 'invalid-argument',
    params: [],
    when: 'The query has more filters, values or combinations of them than Firestore takes.',
  },
  'token-of-another-query': { code: 'invalid-argument', params: [], when: 'The token passed to continueFrom() is not the `nextToken` of a page of this query.' },
  'index-file-unreadable': {
    code: 'invalid-argument',
    params: ['where'],
    when: 'The index file differs from the Firebase CLI’s format; `where` is the place in it.',
  },
  'rules-file-unreadable': {
    code: 'invalid-argument',
    params: ['where'],
    when: 'The text is no file of security rules for Firestore; `where` is the line at which it cannot be read.',
  },
  'index-link-unreadable': {
    code: 'invalid-argument',
    params: [],
    when: 'The text has no readable link to a missing index.',
  },
  'document-written-twice': {
    code: 'invalid-argument',
    params: ['document'],
    when: 'A batch writes to this document twice: write all of its changes in one call.',
  },
  'batch-increment-too-large': {
    code: 'invalid-argument',
    params: ['path'],
    when: 'The batch adds more to the counter at `path` than its `maxDelta`, or than 64 bits hold.',
  },
  'method-missing': {
    code: 'unimplemented',
    params: ['method', 'instead'],
    when: 'The object has no such method: Firebase’s SDKs have it, another entry of this library, or a counted set in place of a counter. `instead` names the replacement in English: “orderBy(field, \'desc\') with limit()”.',
  },

  // ---- The contents of the database ----
  'counter-not-found': { code: 'not-found', params: ['path'], when: 'No counter exists at `path`. Call create() first.' },
  'counter-exists': {
    code: 'already-exists',
    params: ['path'],
    when: 'create() with `ifExists: \'error\'` found a counter at `path`. Or migrate() found the migrated count of another counter in it.',
  },
  'counter-of-another-layout': {
    code: 'failed-precondition',
    params: ['path', 'field'],
    when: 'The document at `path` is not a counter of this layout: `field` has an unexpected value.',
  },
  'counter-full': {
    code: 'out-of-range',
    params: [],
    when: 'A shard has reached the end of a 64-bit integer. Firestore dropped the rest of the increment.',
  },
  'total-too-large': { code: 'out-of-range', params: [], when: 'The counter’s total does not fit into a 64-bit integer.' },
  'resize-overruled': {
    code: 'aborted',
    params: [],
    when: 'Another client set another number of shards in the meantime, and that number stays.',
  },
  'too-much-contention': {
    code: 'aborted',
    params: [],
    when: 'Other clients kept writing to the same documents. Your call changed nothing that you could lose: call again later.',
  },
  'document-not-found': {
    code: 'not-found',
    params: ['document'],
    when: 'The document to update does not exist. Usually the server reports that itself: `server-refused` with the status NOT_FOUND.',
  },
  'ids-not-found': { code: 'not-found', params: ['path'], when: 'No sequence of ids exists at `path`. Call create() first.' },
  'ids-path-taken': {
    code: 'failed-precondition',
    params: ['path'],
    when: '`path` holds another document, or the rest of a sequence. Choose another path.',
  },
  'ids-too-many-shards': {
    code: 'failed-precondition',
    params: [],
    when: 'The sequence has fewer shards at most: create() set its `maxShards`.',
  },
  'ids-damaged': {
    code: 'failed-precondition',
    params: ['document'],
    when: 'Another client deleted or changed a document of the sequence. A new sequence at this path would repeat ids.',
  },
  'ids-used-up': { code: 'out-of-range', params: ['path'], when: 'The sequence of ids has reached the end of 64 bits.' },
  'stock-not-found': { code: 'not-found', params: ['path'], when: 'No stock exists at `path`, or it has fewer shards. Call create() first.' },
  'stock-not-taken': { code: 'not-found', params: ['key', 'path'], when: 'The key has taken nothing of the stock at `path`, so nothing can go back.' },
  'stock-key-used': {
    code: 'failed-precondition',
    params: ['key'],
    when: 'The key has taken another number of units. Give each take its own key, and put back no more units than it took.',
  },

  // ---- The server's answer, or its absence ----
  'server-refused': {
    code: null,
    params: ['status', 'http'],
    when: 'The server refused the request; the message has its words. `status` is the server’s, such as PERMISSION_DENIED; `http` is the HTTP status.',
  },
  'answer-unreadable': {
    code: null,
    params: ['http'],
    when: 'The answer is unreadable, or not from Firestore. Check `host`, and look for a proxy or a login page in between.',
  },
  'answers-contradict': { code: 'internal', params: ['document'], when: 'Two answers of the server contradict each other for one instant.' },
  'no-network': { code: 'unavailable', params: [], when: 'Shardline could not reach the server, or the connection broke.' },
  'timed-out': { code: 'deadline-exceeded', params: [], when: 'The server did not answer in time (`retry.timeoutMs`).' },
  'page-too-large': { code: 'resource-exhausted', params: [], when: 'The documents of a page exceed 64 MiB, or the free memory. Use a smaller `limit`.' },
  'ids-perhaps-lost': {
    code: 'unavailable',
    params: [],
    when: 'The answer got lost while you took ids. Some ids may be lost, but each id is given once. Call again.',
  },
  'write-in-doubt': {
    code: 'outcome-unknown',
    params: [],
    when: 'Shardline sent a write and its answer got lost. The server may have applied it.',
  },
  'increment-in-doubt': { code: 'outcome-unknown', params: [], when: 'The server may have counted this increment.' },
  'stock-take-in-doubt': {
    code: 'outcome-unknown',
    params: ['key'],
    when: 'The answer got lost while you took units or changed a take. Call again with this key, which takes once.',
  },

  // ---- The user ----
  'token-not-given': {
    code: 'unauthenticated',
    params: ['function'],
    when: '`authToken`, `appCheckToken` or `user` threw, or returned a wrong value.',
  },
  'user-not-known': { code: 'unauthenticated', params: [], when: 'Shardline does not know the signed-in user yet. Increments wait for it.' },
  'user-not-signed-in': {
    code: 'unauthenticated',
    params: [],
    when: 'The user of the waiting increments is signed out; or a like button without `user` was pressed.',
  },
  'user-changed': {
    code: 'unauthenticated',
    params: [],
    when: 'Shardline dropped an increment: its user was unknown at the call, and now another user is signed in.',
  },

  // ---- The end of a call ----
  'cancelled': { code: 'cancelled', params: [], when: 'You aborted the `signal` or closed the database. Shardline wrote nothing, but the steps that a long call such as `backfill()` had finished stay.' },
  'cancelled-in-doubt': {
    code: 'cancelled',
    params: [],
    when: 'You aborted the `signal` during a write. The server may have applied it.',
  },
  'increment-withdrawn': {
    code: 'cancelled',
    params: [],
    when: 'You aborted the `signal` or closed the database before Shardline stored the increment. It will not count.',
  },
  'increment-goes-on': {
    code: 'cancelled',
    params: [],
    when: 'You aborted the `signal` or closed the database while a stored increment waited. Shardline will still send it.',
  },
  'batch-ended': { code: 'failed-precondition', params: [], when: 'The batch is being committed, or it was applied or withdrawn before. Make a new one.' },
  'batch-withdrawn': { code: 'failed-precondition', params: [], when: 'You withdrew the batch before the server applied it. Make a new one.' },
  'closed': { code: 'failed-precondition', params: [], when: 'You closed the database or the embedded Firestore.' },
  'increments-not-sent': {
    code: 'unavailable',
    params: [],
    when: 'Shardline cannot send the waiting increments now, because something in the page failed: see `error.cause`.',
  },

  // ---- This page, and this browser ----
  'database-not-opened': { code: 'unknown', params: [], when: 'The function passed to useDatabase() failed: see `error.cause`.' },
  'module-not-loaded': {
    code: 'unavailable',
    params: ['file'],
    when: 'The WebAssembly module did not start: the file is missing, or a Content-Security-Policy forbids it.',
  },
  'module-crashed': { code: 'internal', params: [], when: 'The WebAssembly module crashed, most likely because memory ran out. Shardline restarts it.' },
  'memory-full': { code: 'resource-exhausted', params: [], when: 'Memory ran out.' },
  'storage-not-readable': { code: 'resource-exhausted', params: [], when: 'Shardline cannot read the browser’s storage.' },
  'storage-not-writable': {
    code: 'resource-exhausted',
    params: [],
    when: 'The browser refuses to store increments. Unsent ones are lost when the user closes the page.',
  },
  'storage-altered': {
    code: 'data-loss',
    params: [],
    when: 'Shardline cannot read some stored increments, because other code wrote to the storage. `db.unreadableIncrements()` returns them.',
  },
  'internal-fault': { code: 'internal', params: [], when: 'A fault of Shardline, or of a proxy between it and the server.' },
  'result-in-doubt': {
    code: 'outcome-unknown',
    params: [],
    when: 'Shardline failed or crashed during a write. The server may have applied it.',
  },

  // ---- The embedded Firestore ----
  'worker-not-started': { code: 'unavailable', params: ['file'], when: 'The worker did not start, or failed.' },
  'storage-missing': {
    code: 'failed-precondition',
    params: [],
    when: '`persist` needs IndexedDB and Web Locks, which browsers have on https:// and on localhost.',
  },
  'kept-data-unreadable': { code: 'failed-precondition', params: ['name'], when: 'The data kept by `persist` under this name is unreadable.' },
  'taken-over': { code: 'aborted', params: [], when: 'Another tab runs the embedded Firestore now.' },
});
