/**
 * What went wrong, in words that stay as they are: `error.reason`. A reason is never renamed, and keeps its code and its parameters.
 *
 * The library itself does not import this table, so that no page downloads it; types are made of it, and the reference. The reasons of
 * the core stand in src/base/reason.h, too.
 *
 * - `code` of the error; null: as the server says.
 * - `params` that `error.params` has, texts or numbers. Of a long text the beginning is kept; a text is empty where there is nothing to
 *   name, or nothing that could be printed.
 * - `when` it occurs.
 */
export const REASONS = /** @type {const} */ ({
  // ---- What was asked ----
  'argument-not-allowed': {
    code: 'invalid-argument',
    params: ['argument', 'allowed'],
    when: 'An argument or an option is not what it must be. `allowed` says in English what is: “an integer from 1 to 10,000”.',
  },
  'argument-missing': {
    code: 'invalid-argument',
    params: ['argument', 'allowed'],
    when: 'An argument or an option was left out, and is needed. `allowed` says in English what it can be.',
  },
  'argument-unknown': {
    code: 'invalid-argument',
    params: ['argument', 'known'],
    when: 'There is no such option; `known` lists those that there are.',
  },
  'argument-unreadable': {
    code: 'invalid-argument',
    params: ['argument'],
    when: 'What was passed in cannot be read or passed on: a getter has thrown, an object contains itself, a text is no Unicode.',
  },
  'arguments-conflict': {
    code: 'invalid-argument',
    params: ['argument', 'other'],
    when: 'The option `argument` cannot be as it is together with `other`.',
  },
  'path-not-allowed': {
    code: 'invalid-argument',
    params: ['path'],
    when: 'The path, or the id in it, is none that Firestore takes, or not of a document where one is needed.',
  },
  'field-not-allowed': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'The field’s path or name is none that Firestore takes.',
  },
  'value-not-allowed': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'The value of a document’s field is one that Firestore or the sharded collection cannot hold.',
  },
  'document-too-large': { code: 'invalid-argument', params: [], when: 'The document is larger than 1 MiB.' },
  'document-lacks-order-field': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'The document has no field by which its sharded collection is sorted, so that no query would find it.',
  },
  'request-too-large': {
    code: 'invalid-argument',
    params: [],
    when: 'What is to be written at once is larger than the 10 MiB that one request takes: choose fewer shards, or a shorter path.',
  },
  'shard-field-changed': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'update() was given the shard field, or set() with merge another shard than that of the document that is there: it would move '
      + 'to another shard, which needs `{ move: true }`.',
  },
  'increment-too-large': { code: 'invalid-argument', params: [], when: 'The increment is more than 1,000 times `maxDelta`.' },
  'resume-from-elsewhere': {
    code: 'invalid-argument',
    params: [],
    when: '`resumeFrom` is of another call than this: of another collection, of other shards, or of a dry run; or it is no path of a document of '
      + 'the collection.',
  },
  'query-filter-not-allowed': {
    code: 'invalid-argument',
    params: ['field'],
    when: 'The filter on this field is none that Firestore takes, or not with the query’s orders.',
  },
  'query-order-not-allowed': { code: 'invalid-argument', params: [], when: 'The query cannot be ordered so.' },
  'query-cursor-not-allowed': {
    code: 'invalid-argument',
    params: [],
    when: 'startAt(), startAfter(), endAt() or endBefore() has too many values, none, or a document.',
  },
  'query-aggregation-not-allowed': { code: 'invalid-argument', params: [], when: 'count(), sum() or average() of such a query is not possible.' },
  'query-too-large': {
    code: 'invalid-argument',
    params: [],
    when: 'The query has more filters, values or combinations of them than Firestore takes.',
  },
  'token-of-another-query': { code: 'invalid-argument', params: [], when: 'after() was given what is not the `next` of a page of this query.' },
  'index-file-unreadable': {
    code: 'invalid-argument',
    params: ['where'],
    when: 'The index file is not as the Firebase CLI writes it; `where` is the place in it.',
  },
  'rules-file-unreadable': {
    code: 'invalid-argument',
    params: ['where'],
    when: 'The text is no file of security rules for Firestore; `where` is the line at which it cannot be read.',
  },
  'index-link-unreadable': {
    code: 'invalid-argument',
    params: [],
    when: 'There is no link to a missing index in the text, or it cannot be read.',
  },
  'document-written-twice': {
    code: 'invalid-argument',
    params: ['document'],
    when: 'A batch writes to this document twice: write all of its changes in one call.',
  },
  'batch-increment-too-large': {
    code: 'invalid-argument',
    params: ['path'],
    when: 'What a batch adds to the counter at `path` is more than its `maxDelta`, or than 64 bits hold.',
  },
  'method-missing': {
    code: 'unimplemented',
    params: ['method', 'instead'],
    when: 'Firebase’s SDKs have this method, and the library has not. `instead` says in English what to use: “orderBy(field, \'desc\') with limit()”.',
  },

  // ---- What there is in the database ----
  'counter-not-found': { code: 'not-found', params: ['path'], when: 'There is no counter at `path`: call create() first.' },
  'counter-exists': { code: 'already-exists', params: ['path'], when: 'create() with `ifExists: \'error\'` has found a counter at `path`.' },
  'counter-of-another-layout': {
    code: 'failed-precondition',
    params: ['path', 'field'],
    when: 'At `path` there is no counter of this layout: `field` does not hold what it should.',
  },
  'counter-full': {
    code: 'out-of-range',
    params: [],
    when: 'A shard has reached the end of what a 64-bit integer holds. What goes beyond it was not counted.',
  },
  'total-too-large': { code: 'out-of-range', params: [], when: 'The counter’s total is beyond what a 64-bit integer holds.' },
  'resize-overruled': {
    code: 'aborted',
    params: [],
    when: 'Somebody else gave the counter another number of shards meanwhile; that one stays.',
  },
  'too-much-contention': {
    code: 'aborted',
    params: [],
    when: 'Others kept writing to the same documents. Nothing was counted, or nothing is lost: call again later.',
  },
  'document-not-found': {
    code: 'not-found',
    params: ['document'],
    when: 'There is no document to update. As a rule the server itself says so: `server-refused` with the status NOT_FOUND.',
  },
  'ids-not-found': { code: 'not-found', params: ['path'], when: 'There is no sequence of ids at `path`: call create() first.' },
  'ids-path-taken': {
    code: 'failed-precondition',
    params: ['path'],
    when: 'At `path` lies something else than a sequence of ids, or the rest of one: choose another path.',
  },
  'ids-too-many-shards': {
    code: 'failed-precondition',
    params: [],
    when: 'The sequence of ids was made for fewer shards: `maxShards` of create() is the most that it can have.',
  },
  'ids-damaged': {
    code: 'failed-precondition',
    params: ['document'],
    when: 'A document of the sequence of ids was deleted or changed by others. Made anew it would repeat ids.',
  },
  'ids-used-up': { code: 'out-of-range', params: ['path'], when: 'The sequence of ids has come to the end of what 64 bits hold.' },

  // ---- What the server said, or did not say ----
  'server-refused': {
    code: null,
    params: ['status', 'http'],
    when: 'The server has refused it; the message has its words. `status` is its own, such as PERMISSION_DENIED, and `http` the HTTP status.',
  },
  'answer-unreadable': {
    code: null,
    params: ['http'],
    when: 'What answered was not Firestore, or its answer cannot be read: check `host`, and whether a proxy or login page stands in between.',
  },
  'answers-contradict': { code: 'internal', params: ['document'], when: 'Two of the server’s answers say different things of one instant.' },
  'no-network': { code: 'unavailable', params: [], when: 'The server could not be reached, or the connection was cut.' },
  'timed-out': { code: 'deadline-exceeded', params: [], when: 'The server did not answer in time (`retry.timeoutMs`).' },
  'page-too-large': { code: 'resource-exhausted', params: [], when: 'The documents of a page are more than 64 MiB together, or than there is memory for.' },
  'ids-perhaps-lost': {
    code: 'unavailable',
    params: [],
    when: 'No answer came when ids were taken. Some may be lost, none is given twice: call again.',
  },
  'write-in-doubt': {
    code: 'outcome-unknown',
    params: [],
    when: 'A write was sent and its answer was lost: it may or may not have been applied.',
  },
  'increment-in-doubt': { code: 'outcome-unknown', params: [], when: 'An increment may or may not have been counted.' },

  // ---- Who is signed in ----
  'token-not-given': {
    code: 'unauthenticated',
    params: ['function'],
    when: '`authToken`, `appCheckToken` or `user` has thrown, or has not returned what it should.',
  },
  'user-not-known': { code: 'unauthenticated', params: [], when: 'It is not known yet who is signed in. Increments wait until it is.' },
  'user-not-signed-in': {
    code: 'unauthenticated',
    params: [],
    when: 'The user whose increments wait is not signed in; or a like button was pressed that has no `user`.',
  },
  'user-changed': {
    code: 'unauthenticated',
    params: [],
    when: 'An increment was not counted: when it was asked for nobody could say who was signed in, and now it is another user.',
  },

  // ---- What became of the call ----
  'cancelled': { code: 'cancelled', params: [], when: 'The `signal` was aborted, or what was asked was closed. Nothing was written.' },
  'cancelled-in-doubt': {
    code: 'cancelled',
    params: [],
    when: 'The `signal` was aborted while a write was under way, which may have been applied.',
  },
  'increment-withdrawn': {
    code: 'cancelled',
    params: [],
    when: 'The `signal` was aborted, or the database closed, before the increment was stored. It will not be counted.',
  },
  'increment-goes-on': {
    code: 'cancelled',
    params: [],
    when: 'The `signal` was aborted, or the database closed, while an increment was stored and waited: it will still be sent.',
  },
  'batch-ended': { code: 'failed-precondition', params: [], when: 'The batch is being committed, or has been applied or withdrawn: make a new one.' },
  'batch-withdrawn': { code: 'failed-precondition', params: [], when: 'The batch was withdrawn, and nothing of it was applied: make a new one.' },
  'closed': { code: 'failed-precondition', params: [], when: 'The database, or the embedded Firestore, was closed.' },
  'increments-not-sent': {
    code: 'unavailable',
    params: [],
    when: 'Increments that wait cannot be sent for now, as something in the page has failed: `error.cause` says what.',
  },

  // ---- This page, and this browser ----
  'database-not-opened': { code: 'unknown', params: [], when: 'What was passed to useDatabase() has failed with an error of another kind: `error.cause`.' },
  'module-not-loaded': {
    code: 'unavailable',
    params: ['file'],
    when: 'The WebAssembly module could not be loaded and started: it is not where it should be, or a Content-Security-Policy forbids it.',
  },
  'module-crashed': { code: 'internal', params: [], when: 'The WebAssembly module crashed, most likely for want of memory. It is started again.' },
  'memory-full': { code: 'resource-exhausted', params: [], when: 'There is no memory left.' },
  'storage-not-readable': { code: 'resource-exhausted', params: [], when: 'The browser’s storage cannot be read.' },
  'storage-not-writable': {
    code: 'resource-exhausted',
    params: [],
    when: 'The browser does not let increments be stored. Those that are not sent are lost when the page is closed.',
  },
  'storage-altered': {
    code: 'data-loss',
    params: [],
    when: 'Stored increments cannot be read: something else has written to the storage. `db.unreadable()` returns them.',
  },
  'internal-fault': { code: 'internal', params: [], when: 'A fault of this library, or of what stands between it and the server.' },
  'result-in-doubt': {
    code: 'outcome-unknown',
    params: [],
    when: 'A fault of this library, or a crash, while something was being written, which may or may not have been.',
  },

  // ---- The embedded Firestore ----
  'worker-not-started': { code: 'unavailable', params: ['file'], when: 'The worker in which it is to run could not be started, or has failed.' },
  'storage-missing': {
    code: 'failed-precondition',
    params: [],
    when: '`persist` needs IndexedDB and Web Locks, which browsers have on https:// and on localhost.',
  },
  'kept-data-unreadable': { code: 'failed-precondition', params: ['name'], when: 'What `persist` has kept by this name cannot be read.' },
  'taken-over': { code: 'aborted', params: [], when: 'Another tab runs it now.' },
});
