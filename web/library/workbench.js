// The workbench: tools for developers beside the library. Its own WebAssembly module is loaded only if a page imports this entry.

import { callApart } from './apart.js';
import { checkFunction } from './connect.js';
import { LONGEST_TIMEOUT_MS } from './clock.js';
import { ShardlineError, invalidArgument, notAllowed, optionNotAllowed } from './errors.js';
import createModule from './generated/workbench.js';
import { keepFromProxies } from './habits.js';
import { compile, ModuleRunner, notStarted } from './load.js';
import { readable, readOptions, takeOptions } from './options.js';
import { REASONS } from './reasons.js';
import { Engine as OneEngine, isClosed } from './simulator/engine.js';
import { runHere } from './simulator/experiment.js';
import { runInWorker } from './simulator/experiment_host.js';
import { frameError, frameText, placeJson } from './simulator/memory.js';
import { plain } from './simulator/plain.js';
import { openHost } from './simulator/shared_host.js';
import { WorkerHost } from './simulator/worker_host.js';

/**
 * @typedef {object} EmbeddedFirestoreOptions
 * @property {number} [seed] The seed of all random choices: the same seed and the same requests give the same answers.
 * @property {number} [maxRequestBytes] Default 10 MiB, like Firestore; Google's emulator takes 4 MiB.
 * @property {'none' | 'documented' | Partial<Limits>} [limits] Firestore's limits. Default `none`, like Google's emulator.
 * @property {[number, number]} [latencyMs] The latency without faults, in milliseconds: between these two, mostly near the first.
 * @property {Partial<Faults>} [faults]
 * @property {'emulator' | 'production' | 'proxy'} [dialect] The wording of answers: that of Google's emulator (the default), of the production
 *   servers, or of these behind a proxy that rewrites their JSON. The meaning is the same.
 * @property {object | string} [indexes] The content of firestore.indexes.json, for the limits and for requireIndexes.
 * @property {boolean | 'note'} [requireIndexes] Refuses queries that lack an index, like Firestore. With `'note'` they are answered, and
 *   `missingIndexes` of an observation lists the missing indexes.
 * @property {string} [persist] A name under which this browser keeps the data until reset(), for later pages and for all tabs of the site at once. By
 *   default the data end with the embedded Firestore.
 * @property {boolean} [worker] Whether it runs in a worker. Default: if the platform has workers.
 * @property {() => number} [now] The server's clock, in milliseconds since 1970. Default Date.now. Not with a worker.
 *
 * @typedef {object} Limits The parameters of the model; src/simulator/limits.h explains each.
 * @property {number} documentWritesPerSecond 1
 * @property {number} documentBurst 5
 * @property {number} tabletWritesPerSecond 500
 * @property {number} tabletBurst 50
 * @property {number} splitLoad 0.5
 * @property {number} splitAfterSeconds 5
 * @property {number} lockDeadlineSeconds 20
 * @property {boolean} ramp true: a fresh collection takes `rampWritesPerSecond` at first, however many shards it has. Pass `limits: { ramp: false }`
 *   to see the effect of shards.
 * @property {number} rampWritesPerSecond 500
 * @property {number} rampGrowth 1.5
 * @property {number} rampPeriodSeconds 300
 *
 * @typedef {object} Faults Probabilities, 0 to 1, except the last four.
 * @property {number} dropRequest The request does not arrive.
 * @property {number} dropResponse The server carries the request out, and its answer does not arrive.
 * @property {number} internal HTTP 500, carried out or not.
 * @property {number} unavailable HTTP 503, carried out or not.
 * @property {number} resourceExhausted HTTP 429
 * @property {number} unauthenticated HTTP 401
 * @property {number} delay The answer takes delayMs longer.
 * @property {number} delayMs
 * @property {number} clockSkewMs The server's clock is ahead by this.
 * @property {number} downUntilMs Nothing arrives until then, by the clock of `now`.
 *
 * @typedef {object} Observation
 * @property {number} documents
 * @property {number} requests
 * @property {number} failed The number of requests that faults have failed.
 * @property {{reads: number, writes: number, deletes: number, dollars: number}} billed The bill of the standard edition, in us-central1.
 * @property {{aborted: number, waited: number, documents: {path: string, waitMs: number}[]}} contention The numbers of commits that were refused, and
 *   that had to wait; and the documents for which a write would have to wait now, the longest wait first.
 * @property {{index: string, start: object[], writesPerSecond: number}[]} tablets The hottest first.
 * @property {object[]} missingIndexes The indexes that queries have lacked, as entries of firestore.indexes.json; with `requireIndexes` only.
 * @property {Pick<EmbeddedFirestoreOptions, 'limits' | 'latencyMs' | 'faults' | 'dialect'>} settings The present settings: another tab may have
 *   changed them.
 */

/** @type {Promise<Workbench> | undefined} */
let shared;

/**
 * @param {{wasm?: import('./load.js').WasmSource}} [options] The file workbench.wasm. Default: the file beside this one.
 * @returns {Promise<Workbench>}
 */
export async function openWorkbench(options) {
  const { wasm } = takeOptions('openWorkbench', options, ['wasm']);
  if (wasm !== undefined) return start(wasm);
  // Written in one piece, so that bundlers see the file and take it along.
  shared ??= start(new URL('./generated/workbench.wasm', import.meta.url)).catch((error) => {
    shared = undefined; // The network may be back the next time.
    throw error;
  });
  return shared;
}

/**
 * @typedef {object} ErrorDescription
 * @property {ErrorReason} reason
 * @property {ErrorCode | null} code null: the server's code.
 * @property {readonly string[]} params The names in `error.params`.
 * @property {string} when The case in which it occurs.
 */

/**
 * All reasons that an error can have: for example for a test that your app has a text for each.
 * @returns {ErrorDescription[]}
 */
export function describeErrors() {
  return Object.entries(REASONS).map(([reason, description]) => (
    { reason: /** @type {ErrorReason} */ (reason), ...description }));
}

/**
 * @typedef {object} Workbench
 * @property {(options?: EmbeddedFirestoreOptions) => Promise<EmbeddedFirestore>} createEmbeddedFirestore An embedded Firestore.
 * @property {(options?: EmbeddedFirestoreOptions) => Promise<Engine>} createEngine The same without a clock of its own: one request
 *   after the other, answered at once, on this thread.
 * @property {Run} runExperiment Like an embedded Firestore's run(), but without one. It runs in a worker if the platform has workers.
 * @property {() => CallDescription[]} describeCalls All calls of the library's core with their arguments: for tools that generate a reference or a
 *   command line.
 * @property {() => Promise<NamedExperiment[]>} experiments The experiments that run() of an embedded Firestore knows by name.
 * @property {(options: CounterRulesOptions) => string} counterRules Security rules for distributed counters: the text of
 *   firestore.rules.
 * @property {(text: string, options: CounterRulesOptions) => JoinedRules} joinCounterRules The same rules inside an existing firestore.rules. It is
 *   idempotent: another call replaces the rules of the first.
 * @property {(options: StockRulesOptions) => string} stockRules Security rules for stocks: the text of firestore.rules.
 * @property {(text: string, options: StockRulesOptions) => JoinedRules} joinStockRules Writes the same rules into an existing firestore.rules, like
 *   joinCounterRules().
 * @property {(options?: CounterIndexesOptions) => string} counterIndexes A firestore.indexes.json for the fields that counters write: TTL policies on
 *   the `expireAt` of markers, keys and members, and exemptions from indexing.
 * @property {(text: string, options?: AuditIndexesOptions) => IndexAudit} auditIndexes Finds the indexes of a firestore.indexes.json that take only
 *   about 500 writes a second, the hottest first (static analysis). The file may have comments and trailing commas. It assumes the standard edition,
 *   which keeps an index of each single field. In the enterprise edition only the findings about declared indexes count.
 * @property {(text: string, options: RewriteIndexesOptions) => RewrittenIndexes} rewriteIndexes Turns a firestore.indexes.json into the one that
 *   sharded collections, counters, stocks and ids need. It is idempotent. It assumes the standard edition: in the enterprise edition, queries on single
 *   fields also need declared indexes, which it does not add.
 * @property {(error: string | Error, options?: {indexes?: string}) => MissingIndex} explainMissingIndex Decodes the link in Firestore's error about a
 *   missing index. Takes the error, its message, or the link. `indexes` is the text of firestore.indexes.json: with it, an entry of `fieldOverrides`
 *   keeps the file's indexes of its field. Sends nothing.
 * @property {(load: {writesPerSecond: number, burst?: number}) => ShardsNeeded} shardsFor The number of shards for a load. `writesPerSecond` is the
 *   sustained rate of commits, and `burst` the highest.
 * @property {(load: CostOptions) => CostEstimate} cost The price of a month at Firestore's published prices. It leaves out the storage of your own
 *   documents, network traffic, the reads of security rules, and the free quota.
 *
 * @typedef {object} CounterRulesOptions
 * @property {string} path The path of the counters: `posts/{post}`. A name in braces matches any id.
 * @property {import('./counter_arguments.js').LayoutName | Partial<import('./counter_arguments.js').LayoutSpec>} [layout] The counters' layout. Default `web-sample`.
 * @property {number} [shards] The most shards of a counter. Default 10.
 * @property {number} [maxDelta] The most that one write may add to a shard or take away; it is the counters' `maxDelta`, too.
 *   Default 1. One commit may write to each shard.
 * @property {boolean} [fractions] Whether increments may have a fraction. Default: whether maxDelta has one.
 * @property {'public' | 'signed-in' | 'one-vote' | 'one-like'} [access] Who may count. `public`: everyone (the default). `signed-in`: users.
 *   `one-vote`: users, once each, for ever. `one-like`: users, once each, and they may take it back. Votes are `add()` and `has()` of the user's own
 *   id, likes also `remove()`.
 * @property {'made' | 'refused'} [missingShards] Whether an increment may make the shard that it goes to (the default); with a shardCountField only
 *   if that field has a number. `refused`: only create() makes shards.
 * @property {'readable' | 'private'} [parent] Whether everybody may read the document with the number of shards (the default). If it is private, pass
 *   `shards` in every client.
 * @property {string} [admin] Who may create, resize and delete counters: an expression of the rules' language, such as `request.auth.token.admin ==
 *   true`. Default: servers only. The call checks its grammar, but not its names and types.
 * @property {readonly string[]} [fields] Rules for counters with these fields. `maxDelta` bounds each of them, and `access` is `public` or `signed-in`.
 * @property {{from: number, to: number}} [ratings] Rules for ratings with these bounds: each user has one. The other options may only be `path`, `shards` and `admin`.
 * @property {readonly string[]} [reactions] Rules for reactions of these kinds: each user has one. The other options may only be `path`, `shards` and `admin`.
 *
 * @typedef {object} StockRulesOptions
 * @property {string} path The path of the stocks: `events/{event}`. A name in braces matches any id.
 * @property {'public' | 'signed-in' | 'one-take'} [access] Who may take. `public`: everyone (the default), with keys that the library draws.
 *   `signed-in`: users, with keys that are their id or begin with it and a dot. `one-take`: users, with one take each, whose key is their id.
 * @property {number} [maxUnits] The most units of one take, 1 to 1,000. Default 1.
 * @property {'user' | 'server'} [confirm] Who makes a hold final. `server`: users must hold what they take, and your server confirms it, such as
 *   after a payment. Default `user`.
 * @property {string} [admin] Who may create stocks and add units: an expression like that of counterRules(). Default: servers only.
 *
 * @typedef {object} JoinedRules
 * @property {string} text The new firestore.rules.
 * @property {RulesFinding[]} findings Check these before you deploy the text.
 *
 * @typedef {object} RulesFinding
 * @property {'version' | 'readable' | 'shard-count' | 'counts' | 'earlier'} kind `version`: the file became one of version 2. `readable`: everybody
 *   can read the documents at `path`, which no other rule allows. `shard-count`: a rule of the app lets others write a counter's number of shards.
 *   `counts`: it lets others write the own documents of a counter or a stock. `earlier`: there are other rules of counters.
 * @property {number} line The line in the new text, from 1.
 * @property {string} path
 * @property {'' | 'everybody' | 'users' | 'some'} who The users whom the app's rule lets do it; `some`: the users whom its condition admits.
 * @property {string} why
 * @property {string} todo
 *
 * @typedef {object} CounterIndexesOptions
 * @property {CounterRulesOptions['layout']} [layout] The counters' layout. Default `web-sample`.
 * @property {string} [path] The path of the counters, in layouts whose path is the collection of shards; required for `total: 'shards'`.
 * @property {'sum' | 'shards'} [total] How totals are read. `sum` (the default) needs the index of the count field. `shards`, for
 *   `get({ source: 'shards' })`, exempts it: shards' counts rise side by side, so their index takes about 500 writes a second.
 * @property {readonly string[]} [fields] The fields of counters with fields, in the order of the counter's option: adds the indexes by which the server
 *   adds up four fields in one request.
 * @property {{from: number, to: number}} [ratings] The bounds of ratings: adds the indexes by which the server adds up five values in one request. No
 *   other option may be beside it.
 * @property {readonly string[]} [reactions] The kinds of reactions: the same, four kinds in one request.
 *
 * @typedef {object} ShardsNeeded
 * @property {{shards: number, enough: boolean, why: string}} counter For one counter.
 * @property {{shards: number, enough: boolean, tooEarly: boolean, why: string}} collection For a collection with a rising field. `tooEarly`: at up to
 *   500 writes a second a sharded timestamp costs reads, and brings nothing.
 * @property {number} rampUpMinutes How long the traffic should take to grow, from 500 writes a second on.
 *
 * @typedef {object} CostOptions `perMonth` is how often something happens.
 * @property {'standard' | 'enterprise'} [edition] Default `standard`, like all `billed` of the library. The enterprise edition bills reads in units
 *   of 4 KiB and writes in units of 1 KiB, and has no automatic indexes.
 * @property {string} [location] `us-central1` (the default) or, in the standard edition, `nam5`. For other locations pass `prices`.
 * @property {{reads?: number, writes?: number, deletes?: number, storage?: number}} [prices] Dollars for a million documents or units; `storage`:
 *   dollars for a GiB in a month.
 * @property {{perMonth: number, delivery?: 'exactly-once' | 'at-least-once' | 'transaction', perCommit?: number}} [increments] `perCommit`: the
 *   number of increments that one commit coalesces, 1 by default.
 * @property {{perMonth: number} & TotalOptions} [totals]
 * @property {{perMonth: number, changed?: number}} [choices] The ratings and reactions of users. `changed`, 0 by default, is the share of them that
 *   replaces or takes back an earlier choice.
 * @property {{perMonth: number} & TotalOptions} [summaries] The summaries of ratings and reactions. With the index, the `source` is `sum`. The estimate
 *   takes one read for each, which holds for five ratings. Count a summary of four kinds twice, because it costs two reads.
 * @property {{perMonth?: number, hours?: number, changing?: number, intervalMs?: number} & TotalOptions} [watches] The watches that ask. `perMonth`
 *   is their number (1), and `hours` the duration of each (730). `changing` is the share of that time in which the total changes (1). If the total
 *   comes to rest more than once, each time takes about five readings more. `intervalMs` (1,000) is the option of watch(). The estimate is an upper
 *   bound: the time of the answers comes on top of each interval, a hidden page reads nothing, and all watches of a page together read at most five
 *   times a second.
 * @property {{perMonth?: number, changes?: number, shards?: number, shardBytes?: number}} [listens] The watches that listen, 1 by default. `changes`:
 *   the changes of the counter's shards during one of them, 0 by default. If a stream is opened again, for example after each hour in which the page
 *   was hidden, count that as another watch.
 * @property {{perMonth: number, refused?: number, held?: number, confirmed?: number, putBack?: number, months?: number, key?: 'drawn' | 'own'}} [takes] Takes
 *   from stocks. `refused`: the answers that too few units are left. `held`: how many of the takes are holds, and `confirmed`: how many of these become
 *   final (all). `putBack`: the calls of putBack(). `months`: how long you keep the documents of takes (12). `key`: `own` if your app chooses the keys.
 * @property {{perMonth: number, documentBytes?: number, indexes?: number, entryBytes?: number}} [inserts] `indexes`: the index entries of each
 *   document; only the enterprise edition bills them.
 * @property {{documents: number, written?: number, documentBytes?: number, indexes?: number, entryBytes?: number}} [backfill] One backfill() or
 *   reshard(): of `documents` documents, `written` get a shard (default: all); a dry run returns both. `indexes`: the index entries that each write
 *   changes.
 * @property {{perMonth: number, limit: number, chunks?: number, chunkReads?: 'share' | 'whole-page', documentBytes?: number, entryBytes?: number}}
 *   [queries] Sharded queries of one page each. `chunks` is `plan().requests`.
 *
 * @typedef {object} TotalOptions
 * @property {number} [shards] Default 10.
 * @property {'sum' | 'shards'} [source] Default `sum`.
 * @property {number} [shardBytes] The size of a shard's document or index entry. Default 128.
 *
 * @typedef {object} CallDescription
 * @property {string} name `counter.create`
 * @property {'counters' | 'collections' | 'shardline' | 'admin'} module The module that has it.
 * @property {string} description
 * @property {ArgumentDescription[]} arguments
 *
 * @typedef {object} ArgumentDescription
 * @property {string} name
 * @property {'text' | 'integer' | 'number' | 'boolean' | 'word' | 'object' | 'list' | 'value' | 'signal' | 'function'} type
 * @property {boolean} required
 * @property {boolean} internal Whether the library itself passes it.
 * @property {string} range The allowed values: `an integer from 1 to 10,000`.
 * @property {number} [least]
 * @property {number} [most]
 * @property {string[]} [words] The allowed words.
 * @property {string | number | boolean | null} default Null: no default.
 * @property {string} description
 * @property {ArgumentDescription[]} [members] The members of an object, or of a list's elements.
 *
 * @typedef {object} CostItem
 * @property {number} reads Reads in a month: documents or, in the enterprise edition, units.
 * @property {number} writes
 * @property {number} [deletes] By TTL policies. In the enterprise edition each is one unit, at the price of a write.
 * @property {number} [storedGiB] For a month.
 * @property {number} dollars
 *
 * @typedef {'takes' | 'refusals' | 'confirmations' | 'lapsedHolds' | 'putBacks' | 'keptTakes' | 'returnedTakes'} StockCost The lines of stocks.
 *
 * @typedef {object} CostEstimate
 * @property {'standard' | 'enterprise'} edition
 * @property {string} location
 * @property {'documents' | 'units'} unit
 * @property {{[what in 'increments' | 'markers' | 'totals' | 'choices' | 'summaries' | 'watches' | 'listens' | StockCost | 'inserts' | 'queries' | 'backfill']?:
 *   CostItem & {dollarsPerMillion: number, readsAtWorst?: number}}} items `readsAtWorst` of queries: a whole page of each chunk. A page with `chunkReads:
 *   'share'` reads 1.2 to 1.6 times its limit; the pages of a stream() about their limits. `markers`: the cost of the markers of increments after
 *   they were written. `keptTakes` and `returnedTakes`: the same of the documents of takes; those whose units have all gone back expire.
 * @property {CostItem} perMonth All of them, `backfill` too.
 * @property {{reads: number, writes: number, deletes?: number, storage: number, source: string, asOf: string | null}} prices Dollars for a million,
 *   and for a GiB that is stored for a month; `source` and `asOf` are their source and its date.
 * @property {{reads: number, writes: number}} freePerDay The free quota of a day, for one database of a project.
 *
 * @typedef {object} AuditIndexesOptions
 * @property {Record<string, string[]>} [rising] For each collection id, the fields that rise (or fall) from one document to the next.
 * @property {Record<string, string[]>} [notRising] For each collection id, the fields that do not rise, whatever their names suggest. `'*'` means all
 *   fields that `rising` does not name.
 * @property {Record<string, string[]>} [shards] For each collection id, the fields whose values are random. Default: `shard`.
 *
 * @typedef {object} IndexAudit
 * @property {IndexFinding[]} findings Indexes with rising fields, the hottest first.
 * @property {IndexCandidate[]} candidates Indexes with fields that perhaps rise. Find out, and pass each field as `rising` or `notRising`.
 *
 * @typedef {IndexFinding & {risk: 'perhaps', hint: 'name' | 'ttl'}} IndexCandidate `hint`: the name suggests that the field rises
 *   (`createdAt`, `timestamp`, …), or the field has a TTL policy.
 *
 * @typedef {object} IndexFinding
 * @property {'composite' | 'single-field'} where `composite`: an entry of `indexes`. `single-field`: an automatic index of a field, or an entry of
 *   `fieldOverrides`.
 * @property {'hot' | 'perhaps'} risk `hot`: the rising field comes first. `perhaps`: it comes behind other fields, and the index is hot if most
 *   documents have the same values in these. A candidate is always `perhaps`.
 * @property {string} collection Its id.
 * @property {'COLLECTION' | 'COLLECTION_GROUP'} scope
 * @property {string} field The rising field.
 * @property {IndexFieldEntry[] | null} index The fields of the composite index.
 * @property {string} why
 * @property {string} todo
 *
 * @typedef {object} IndexFieldEntry As in firestore.indexes.json.
 * @property {string} fieldPath
 * @property {'ASCENDING' | 'DESCENDING'} [order]
 * @property {'CONTAINS'} [arrayConfig]
 * @property {{dimension: number, flat?: object}} [vectorConfig]
 *
 * @typedef {object} ShardedIndexes
 * @property {string} collection Its id or path.
 * @property {string} [shardField] Default `shard`.
 * @property {string} [orderField] Default `timestamp`.
 * @property {'COLLECTION' | 'COLLECTION_GROUP'} [scope] The scope of the queries. Default `COLLECTION`.
 * @property {(string[] | QueryPlan | QueryPlan['index'])[]} [queries] The queries: for each its plan(), or the fields that it fixes, `['exchange']`,
 *   if it asks for the newest first. Another direction needs an index of its own, and so does count(), which uses the query's orders. `[]` is the
 *   query for the newest without a filter. Default: the queries with an index in the file, and queries by the order field alone, in both directions:
 *   these use Firestore's own index of the field, which no file lists.
 * @property {number} [writesPerSecond] The writes per second of the collection. An index takes 500, so up to 500 nothing changes. Default: more than
 *   500.
 *
 * @typedef {object} MoreRewriteIndexesOptions
 * @property {ShardedIndexes[]} [collections]
 * @property {object[]} [indexes] Indexes to add, however hot they are: the `missingIndexes` of an observation, or the `entry` of
 *   explainMissingIndex(). A single-field index goes to `fieldOverrides`.
 * @property {boolean | CounterIndexesOptions | CounterIndexesOptions[]} [counters] The TTL policies and the exemptions that
 *   counterIndexes() writes. `true` is for counters of the layout `web-sample`.
 * @property {boolean} [ids] Exemptions for sequences of ids.
 * @property {boolean} [stocks] Adds the TTL policies and the exemptions of stocks. It keeps the index of the units in a shard, and of the time at
 *   which a hold ends.
 * @property {boolean} [removeOld] Removes the indexes that sharded queries do not need, and exempts the order field and the shard field from
 *   single-field indexing. Set it when no released app and no server sends the old queries, which fail without their indexes.
 *
 * @typedef {MoreRewriteIndexesOptions & Partial<ShardedIndexes>} RewriteIndexesOptions The options of a single collection may stand
 *   beside the others.
 *
 * @typedef {object} RewrittenIndexes
 * @property {string} text The file's new content, for the first deployment; the same text if nothing changes.
 * @property {{kind: 'removed' | 'added' | 'exempted', index: object, why: string}[]} changes Each with the entry of `indexes` or
 *   `fieldOverrides`.
 * @property {{text: string, changes: RewrittenIndexes['changes']} | null} next The file without the old indexes (the result with `removeOld`), for a
 *   deployment when no query needs them any more. Null if there are no old indexes.
 * @property {string[]} notes Sentences about hot vector indexes, which stay, and about a query by the order field alone that `queries`
 *   leaves out.
 * @property {boolean} commentsLost Whether a new text lacks comments of the old one.
 *
 * @typedef {object} MissingIndex
 * @property {'composite' | 'single-field'} kind Whether the entry belongs to `indexes` or to `fieldOverrides`.
 * @property {string} project
 * @property {string} database
 * @property {string} collection Its id.
 * @property {'COLLECTION' | 'COLLECTION_GROUP'} scope
 * @property {object} entry Add this to firestore.indexes.json. An entry of `fieldOverrides` replaces all indexes of its field, so it also lists the
 *   present ones: those of the file, if you passed it, otherwise the automatic indexes.
 * @property {'none' | 'perhaps'} risk `perhaps`: the index would be hot if a field rises whose name suggests it.
 * @property {string} explanation
 *
 * @typedef {import('./simulator/experiment.js').ExperimentOptions & {preset: string, title: string}} NamedExperiment
 * @typedef {import('./simulator/experiment.js').ExperimentOptions} ExperimentOptions
 * @typedef {import('./connect.js').RetryOptions} RetryOptions
 * @typedef {import('./counter_arguments.js').LayoutName} LayoutName
 * @typedef {import('./counter_arguments.js').LayoutSpec} LayoutSpec
 * @typedef {import('./errors.js').ErrorCode} ErrorCode
 * @typedef {import('./errors.js').ErrorReason} ErrorReason
 * @typedef {import('./load.js').WasmSource} WasmSource
 * @typedef {import('./generated/workbench.js').WorkbenchModule} WorkbenchModule
 * @typedef {import('./query.js').IndexField} IndexField
 * @typedef {import('./query.js').PlannedIndex} PlannedIndex
 * @typedef {import('./query.js').QueryPlan} QueryPlan
 * @typedef {import('./simulator/engine.js').Engine} Engine
 * @typedef {import('./simulator/engine.js').EmbeddedFirestoreAnswer} EmbeddedFirestoreAnswer
 * @typedef {import('./simulator/engine.js').EmbeddedFirestoreRequest} EmbeddedFirestoreRequest
 * @typedef {import('./simulator/experiment.js').ExperimentRecording} ExperimentRecording
 * @typedef {import('./simulator/experiment.js').Fate} Fate
 * @typedef {import('./simulator/experiment.js').StockLoad} StockLoad
 * @typedef {import('./simulator/experiment.js').RecordedRequests} RecordedRequests
 * @typedef {import('./simulator/experiment.js').RecordedSample} RecordedSample
 * @typedef {import('./simulator/experiment.js').RecordedWorks} RecordedWorks
 * @typedef {import('./simulator/experiment.js').ExperimentReport} ExperimentReport
 * @typedef {import('./simulator/experiment.js').RunOptions} RunOptions
 * @typedef {(experiment: ExperimentOptions | string, options?: RunOptions) => Promise<ExperimentReport>} Run
 */

/** @param {import('./load.js').WasmSource} source */
async function load(source) {
  try {
    const wasm = await compile(await source);
    return { wasm, tools: await ModuleRunner.start(createModule, wasm) };
  } catch (cause) {
    throw notStarted('workbench.wasm', 'openWorkbench({ wasm })', cause);
  }
}

/**
 * @param {import('./load.js').WasmSource} source
 * @returns {Promise<Workbench>}
 */
async function start(source) {
  const { wasm, tools } = await load(source);
  return {
    createEmbeddedFirestore: (options) => createEmbeddedFirestore(wasm, readOptions('createEmbeddedFirestore', options)),
    createEngine: async (options) => new OneEngine(await createModule({ wasm }), plain(readOptions('createEngine', options), 'options')),
    runExperiment: checkedRun('runExperiment', typeof Worker === 'function'
      ? (experiment, options) => runInWorker(wasm, experiment, options)
      : (experiment, options) => runHere(tools.module, experiment, options)),
    experiments: async () => {
      const { module } = tools;
      module.describeExperiments();
      return JSON.parse(frameText(module));
    },
    describeCalls: () => {
      const { module } = tools;
      module.describeCalls();
      return JSON.parse(frameText(module));
    },
    counterRules: (options) => textOf(tools.module, 'counterRules', plain(options, 'options')),
    stockRules: (options) => textOf(tools.module, 'stockRules', plain(options, 'options')),
    joinStockRules: (...args) => JSON.parse(textOf(tools.module, 'joinStockRules', plainEach(args, ['text', 'options']))),
    joinCounterRules: (...args) => JSON.parse(textOf(tools.module, 'joinCounterRules', plainEach(args, ['text', 'options']))),
    counterIndexes: (options = {}) => textOf(tools.module, 'counterIndexes', plain(options, 'options')),
    auditIndexes: (...args) => JSON.parse(textOf(tools.module, 'auditIndexes', plainEach(args, ['text', 'options']))),
    rewriteIndexes: (...args) => JSON.parse(textOf(tools.module, 'rewriteIndexes', plainEach(args, ['text', 'options']))),
    explainMissingIndex: (error, ...options) => {
      const text = readable('error', () => (error instanceof Error ? error.message : error), 'The error');
      return JSON.parse(textOf(tools.module, 'explainMissingIndex', plainEach([text, ...options], ['error', 'options'])));
    },
    shardsFor: (...args) => JSON.parse(textOf(tools.module, 'shardsFor', plainEach(args, ['load']))),
    cost: (...args) => JSON.parse(textOf(tools.module, 'cost', plainEach(args, ['load']))),
  };
}

/**
 * @param {import('./generated/workbench.js').WorkbenchModule} tools
 * @param {'counterRules' | 'joinCounterRules' | 'stockRules' | 'joinStockRules' | 'counterIndexes' | 'auditIndexes' | 'rewriteIndexes' | 'explainMissingIndex' | 'shardsFor' | 'cost'} make
 * @param {unknown} args
 * @returns {string}
 */
function textOf(tools, make, args) {
  if (!tools[make](...placeJson(tools, args ?? null))) throw frameError(tools);
  return frameText(tools);
}

/** @param {unknown[]} args @param {string[]} names */
function plainEach(args, names) {
  return args.map((value, i) => plain(value, names[i] ?? 'options'));
}

/** @param {string} call @param {Run} run @returns {Run} */
function checkedRun(call, run) {
  return async (experiment, options) => {
    const { onProgress, signal } = takeOptions(call, options, ['onProgress', 'signal']);
    checkFunction('onProgress', onProgress);
    if (signal?.aborted) throw new ShardlineError('cancelled', 'The experiment was cancelled.', { reason: 'cancelled', cause: signal.reason });
    return run(plain(experiment, 'experiment'), { onProgress, signal });
  };
}

/**
 * @param {WebAssembly.Module} wasm
 * @param {EmbeddedFirestoreOptions} options
 */
async function createEmbeddedFirestore(wasm, { now, worker = !now && typeof Worker === 'function', ...more }) {
  checkFunction('now', now);
  if (typeof worker !== 'boolean') throw optionNotAllowed('worker', 'true or false');
  if (more.persist !== undefined && typeof more.persist !== 'string') throw optionNotAllowed('persist', 'a text');
  const options = plain(more, 'options');
  if (now && worker) {
    throw invalidArgument('now cannot be asked from a worker: createEmbeddedFirestore({ worker: false }).', {
      reason: 'arguments-conflict',
      params: { argument: 'now', other: 'worker' },
    });
  }
  if (!worker) {
    const runner = await ModuleRunner.start(createModule, wasm);
    return new EmbeddedFirestore(await openHost(runner, options, now), (...args) => runHere(runner.module, ...args), options);
  }
  const host = new WorkerHost(wasm, options);
  try {
    await host.started;
  } catch (error) {
    await host.close();
    throw error;
  }
  return new EmbeddedFirestore(host, (...args) => runInWorker(wasm, ...args), options);
}

/**
 * connect() reads these properties of an embedded Firestore's fetch. It stores waiting increments by host, because increments for one embedded
 * Firestore must reach no other one, and no project. Increments for an embedded Firestore without storage must not be stored either.
 * @param {string | undefined} persist
 * @returns {{host: string, storage?: 'memory'}}
 */
function identity(persist) {
  const bytes = persist === undefined ? crypto.getRandomValues(new Uint8Array(16)) : new TextEncoder().encode(persist);
  const host = `http://${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}.embedded.invalid`;
  return persist === undefined ? { host, storage: 'memory' } : { host };
}

/** The methods with which REST only reads; after all others, the client may have written. */
const READS = /:(runQuery|runAggregationQuery|batchGet|beginTransaction|rollback|listCollectionIds)$/;

/** An embedded Firestore. Pass its `fetch` to connect(), or to any other client of Firestore's REST v1. */
export class EmbeddedFirestore {
  #host;
  #run;
  /** Ends the observers. */
  #closed = new AbortController();
  /** Firestore's streams, from the first request for one on. @type {Promise<import('./simulator/streams/streams.js').Streams> | undefined} */
  #streams;
  /** Whether faults were ever set: without them, no request of a stream needs to ask the engine for its fate. */
  #hasFaults;
  /** Carries news of writes between the tabs that share the data. @type {BroadcastChannel | undefined} */
  #tabs;

  static {
    keepFromProxies(this);
  }

  /**
   * @param {import('./simulator/host.js').Host} host
   * @param {Run} run
   * @param {EmbeddedFirestoreOptions} options
   * @hidden Made by the library.
   */
  constructor(host, run, { persist, faults }) {
    this.#host = host;
    this.#hasFaults = faults !== undefined;
    this.#run = checkedRun('run', run);
    this.fetch = Object.assign(this.fetch.bind(this), identity(persist));
    if (persist === undefined) return;
    this.#tabs = new BroadcastChannel(`shardline-embedded-writes:${persist}`);
    this.#tabs.onmessage = ({ data }) => this.#refresh(data === 'emptied');
  }

  /**
   * Works like the global fetch, with any host in the address.
   * @param {string | URL | Request} input
   * @param {RequestInit} [init]
   * @returns {Promise<Response>}
   */
  async fetch(input, init) {
    const request = makeRequest(input, init);
    const { signal, method } = request;
    const url = new URL(request.url);
    const { pathname, search } = url;
    if (pathname.startsWith('/google.firestore.v1.Firestore/')) return this.#stream(url, request, init?.signal ?? signal);
    const answer = await unlessAborted(signal, async () => this.#host.answer({
      method,
      target: pathname + search,
      authorization: request.headers.get('authorization') ?? '',
      body: new Uint8Array(await request.arrayBuffer().catch(refuseRequest)),
    })).finally(() => {
      // Also when the answer got lost.
      if (method !== 'GET' && !READS.test(pathname)) this.#noteWrite(pathname.startsWith('/emulator/'));
    });
    if (answer.delayMs > 0) await sleep(answer.delayMs, signal);
    // A browser's error when the connection breaks.
    if (answer.lost) throw new TypeError('Failed to fetch');
    return new Response(method === 'HEAD' ? null : answer.body, {
      status: answer.status,
      headers: { 'content-type': answer.contentType },
    });
  }

  /** @param {boolean} isEmptied Whether all documents were deleted at once. */
  #noteWrite(isEmptied) {
    this.#refresh(isEmptied);
    this.#tabs?.postMessage(isEmptied ? 'emptied' : 'written');
  }

  /** @param {boolean} isEmptied */
  #refresh(isEmptied) {
    void this.#streams?.then(({ noteWrite }) => noteWrite(isEmptied), () => {});
  }

  /**
   * @param {URL} url
   * @param {Request} request
   * @param {AbortSignal} ended The caller's own: in Node, that of a Request follows it only while the Request is in use.
   */
  async #stream(url, request, ended) {
    this.#streams ??= import('./simulator/streams/streams.js').then(({ openStreams }) => openStreams(this)).catch((cause) => {
      this.#streams = undefined; // The network may be back the next time.
      throw cause;
    });
    const { channels, sufferFaults } = await this.#streams;
    const { method } = request;
    const answer = this.#hasFaults ? await sufferFaults() : undefined;
    if (answer && !answer.ok) return answer;
    const response = channels.answer(url, method, await request.text());
    if (method !== 'GET' || !response.body) return response;
    // A listener may go away, like from a server.
    const { readable, writable } = new TransformStream();
    response.body.pipeTo(writable, { signal: ended }).catch(() => {});
    return new Response(readable, response);
  }

  /**
   * Changes latency, faults, limits and dialect from now on, for all tabs that share it. New faults break the open streams of this tab, and hit their
   * next requests.
   * @param {Pick<EmbeddedFirestoreOptions, 'latencyMs' | 'faults' | 'limits' | 'dialect'>} options
   */
  async configure(options) {
    if (typeof options !== 'object') throw notAllowed('options', 'an object', 'The options of configure() must be an object.');
    const given = plain(readOptions('configure', options), 'options');
    await this.#host.configure(given);
    if (given.faults === undefined) return;
    this.#hasFaults = true;
    await this.#streams?.then(({ channels }) => channels.breakOff(), () => {});
  }

  /** @returns {Promise<Observation>} The present state. */
  snapshot() {
    return this.#host.observe();
  }

  /**
   * Calls back with the state every `intervalMs` milliseconds.
   * @param {(observation: Observation) => void} listener
   * @param {{intervalMs?: number, signal?: AbortSignal}} [options]
   * @returns {() => void} Ends the calls.
   */
  observe(listener, options) {
    const { intervalMs = 250, signal } = takeOptions('observe', options, ['intervalMs', 'signal']);
    if (typeof listener !== 'function') throw notAllowed('listener', 'a function');
    if (typeof intervalMs !== 'number' || !(intervalMs >= 0)) throw optionNotAllowed('intervalMs', 'a number of milliseconds');
    signal?.throwIfAborted();
    if (this.#closed.signal.aborted) throw isClosed();
    const ended = new AbortController();
    const signals = [this.#closed.signal, ...(signal ? [signal] : [])];
    const stop = () => {
      ended.abort();
      for (const each of signals) each.removeEventListener('abort', stop);
    };
    for (const each of signals) each.addEventListener('abort', stop);
    const look = async () => {
      while (!ended.signal.aborted) {
        callApart(listener, await this.snapshot());
        await sleep(intervalMs, ended.signal);
      }
    };
    // There is nothing to observe when it is closed, or when its worker has failed; fetch() rejects with the cause.
    look().catch(() => {});
    return stop;
  }

  /**
   * Runs a load experiment in virtual time (a discrete-event simulation): a second simulates minutes. It has an empty database of its own, and
   * neither the data nor the settings of this embedded Firestore matter.
   * @param {ExperimentOptions | string} experiment The options, or the name of an experiment.
   * @param {RunOptions} [options]
   * @returns {Promise<ExperimentReport>}
   */
  async run(experiment, options) {
    return this.#run(experiment, options);
  }

  /** Deletes all data, also the stored ones, and resets the counts. */
  async reset() {
    await this.#host.reset();
    this.#noteWrite(true);
  }

  /** Ends it, and frees its memory. The stored data stays. */
  async close() {
    this.#closed.abort();
    this.#tabs?.close();
    this.#tabs = undefined;
    await this.#streams?.then(({ channels }) => channels.close(), () => {});
    await this.#host.close();
  }
}

/**
 * @param {RequestInfo | URL} input
 * @param {RequestInit} [init]
 */
function makeRequest(input, init) {
  try {
    return new Request(input, init);
  } catch (cause) {
    return refuseRequest(cause);
  }
}

/** @param {unknown} cause @returns {never} */
function refuseRequest(cause) {
  const why = cause instanceof Error ? `: ${cause.message}` : '.';
  throw invalidArgument(`fetch() takes an address and options, like the browser’s fetch(). These cannot be read${why}`, {
    reason: 'argument-unreadable', params: { argument: 'fetch()' }, cause,
  });
}

/**
 * @template Result
 * @param {AbortSignal} signal
 * @param {() => Promise<Result>} work Goes on when the caller no longer waits, like on a server.
 * @returns {Promise<Result>}
 */
function unlessAborted(signal, work) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work().then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, Math.min(ms, LONGEST_TIMEOUT_MS));
    signal.addEventListener('abort', stop, { once: true });
  });
}
