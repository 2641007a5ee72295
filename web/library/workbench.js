// The workbench: what a developer uses beside the library. A second WebAssembly module, loaded only by those who import this.

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
 * @property {number} [maxRequestBytes] 10 MiB as Firestore; Google's emulator takes 4 MiB.
 * @property {'none' | 'documented' | Partial<Limits>} [limits] Firestore's limits; by default none, as in Google's emulator.
 * @property {[number, number]} [latencyMs] How long an unhindered answer takes: between these, most near the first.
 * @property {Partial<Faults>} [faults]
 * @property {'emulator' | 'production' | 'proxy'} [dialect] How answers are worded: as Google's emulator does (the default), as
 *   the production servers do, or as these do behind a proxy that writes their JSON again. They mean the same.
 * @property {object | string} [indexes] The content of firestore.indexes.json, for the limits and for requireIndexes.
 * @property {boolean | 'note'} [requireIndexes] Refuse queries that lack an index, as Firestore does. With `'note'` they are
 *   answered, and `missingIndexes` of an observation says what they lack.
 * @property {string} [persist] A name under which the data stay, until reset(), in this browser: for later, and for all tabs
 *   of the site at once. By default they are gone with the embedded Firestore.
 * @property {boolean} [worker] Whether it runs in a worker: by default where there are any.
 * @property {() => number} [now] The server's clock, in milliseconds since 1970; by default Date.now. Not with a worker.
 *
 * @typedef {object} Limits The parameters of the model; src/simulator/limits.h explains each.
 * @property {number} documentWritesPerSecond 1
 * @property {number} documentBurst 5
 * @property {number} tabletWritesPerSecond 500
 * @property {number} tabletBurst 50
 * @property {number} splitLoad 0.5
 * @property {number} splitAfterSeconds 5
 * @property {number} lockDeadlineSeconds 20
 * @property {boolean} ramp true: a fresh collection takes `rampWritesPerSecond` at first, whatever its shards. Pass `limits: { ramp: false }` to see what
 *   shards bring.
 * @property {number} rampWritesPerSecond 500
 * @property {number} rampGrowth 1.5
 * @property {number} rampPeriodSeconds 300
 *
 * @typedef {object} Faults Probabilities, 0 to 1, except the last four.
 * @property {number} dropRequest The request does not arrive.
 * @property {number} dropResponse It is carried out, and its answer does not arrive.
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
 * @property {number} failed By faults.
 * @property {{reads: number, writes: number, deletes: number, dollars: number}} billed As the standard edition does, in us-central1.
 * @property {{aborted: number, waited: number, documents: {path: string, waitMs: number}[]}} contention Commits that were
 *   refused, and that had to wait; and for which documents a write would have to wait now, the longest wait first.
 * @property {{index: string, start: object[], writesPerSecond: number}[]} tablets The hottest first.
 * @property {object[]} missingIndexes What queries have lacked, as entries of firestore.indexes.json; with `requireIndexes` only.
 * @property {Pick<EmbeddedFirestoreOptions, 'limits' | 'latencyMs' | 'faults' | 'dialect'>} settings As they are now: another tab may have
 *   changed them.
 */

/** @type {Promise<Workbench> | undefined} */
let shared;

/**
 * @param {{wasm?: import('./load.js').WasmSource}} [options] Where workbench.wasm is; by default the file beside this one.
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
 * @property {ErrorCode | null} code null: as the server says.
 * @property {readonly string[]} params The names in `error.params`.
 * @property {string} when It occurs.
 */

/**
 * All reasons that an error can have: for tests that an app has words for each.
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
 * @property {Run} runExperiment As an embedded Firestore's run(), without one: in a worker where there are any.
 * @property {() => CallDescription[]} describeCalls All that the library asks of its core, and what each call takes: for tools that
 *   put a reference or a command line together.
 * @property {() => Promise<NamedExperiment[]>} experiments What run() of an embedded Firestore knows by name.
 * @property {(options: CounterRulesOptions) => string} counterRules Security rules for distributed counters: the text of
 *   firestore.rules.
 * @property {(text: string, options: CounterRulesOptions) => JoinedRules} joinCounterRules The same rules inside a firestore.rules that there
 *   is. To join them once more replaces them.
 * @property {(options: StockRulesOptions) => string} stockRules Security rules for stocks: the text of firestore.rules.
 * @property {(text: string, options: StockRulesOptions) => JoinedRules} joinStockRules The same rules inside a firestore.rules that there is, as
 *   joinCounterRules() does it.
 * @property {(options?: CounterIndexesOptions) => string} counterIndexes What firestore.indexes.json should say about the fields
 *   that counters write: TTL policies on the `expireAt` of markers, keys and members, and exemptions from indexing.
 * @property {(text: string, options?: AuditIndexesOptions) => IndexAudit} auditIndexes Which indexes of a firestore.indexes.json
 *   take about 500 writes a second only, and why; the hottest first. The file may have comments and trailing commas. For the standard edition, which
 *   keeps an index of each single field: the enterprise edition keeps none by itself, so of what is found there only declared ones count.
 * @property {(text: string, options: RewriteIndexesOptions) => RewrittenIndexes} rewriteIndexes The firestore.indexes.json that
 *   sharded collections, counters, stocks and ids need, made from the one that there is. To rewrite the result changes nothing. For the
 *   standard edition: in the enterprise edition, queries on single fields need declared indexes besides, which it does not add.
 * @property {(error: string | Error, options?: {indexes?: string}) => MissingIndex} explainMissingIndex What the link in Firestore's error
 *   about a missing index asks for. Takes the error, its message, or the link; and as `indexes` the text of firestore.indexes.json, of
 *   which an entry of `fieldOverrides` keeps all that the file says of its field. Nothing is sent.
 * @property {(load: {writesPerSecond: number, burst?: number}) => ShardsNeeded} shardsFor How many shards a load needs: commits a
 *   second, for long and at the most.
 * @property {(load: CostOptions) => CostEstimate} cost What a month costs at Firestore's published prices, without the storage of your
 *   own documents, network and what security rules read; nothing is taken off for what is free.
 *
 * @typedef {object} CounterRulesOptions
 * @property {string} path Where the counters are: `posts/{post}`, with names in braces for any id.
 * @property {import('./counter_arguments.js').LayoutName | Partial<import('./counter_arguments.js').LayoutSpec>} [layout] As the counters'. Default `web`.
 * @property {number} [shards] How many a counter may have at the most. Default 10.
 * @property {number} [maxDelta] The most that one write may add to a shard or take away; it is the counters' `maxDelta`, too.
 *   Default 1. One commit may write to each shard.
 * @property {boolean} [fractions] Whether increments may have a fraction. Default: whether maxDelta has one.
 * @property {'public' | 'signed-in' | 'one-vote' | 'one-like'} [access] Who may count: everyone (the default); users; users, once
 *   each, for ever; or users, once each, who may take it back. Votes are `add()` and `has()` of the user's own id, likes also `remove()`.
 * @property {'made' | 'refused'} [missingShards] Whether an increment may make the shard that it goes to (the default); with a
 *   shardCountField only where that says that there is a counter. Otherwise only create() makes shards.
 * @property {'readable' | 'private'} [parent] Whether everybody may read the document that says how many shards there are (the default). If
 *   it is private, pass `shards` in every client.
 * @property {string} [admin] Who may create, resize and delete counters: an expression of the rules' language, such as
 *   `request.auth.token.admin == true`. By default servers only. Its grammar is checked, its names and types are not.
 * @property {{from: number, to: number}} [ratings] Rules for ratings with these bounds: each user has one. Besides, only `path`, `shards` and `admin`.
 * @property {readonly string[]} [reactions] Rules for reactions of these kinds: each user has one. Besides, only `path`, `shards` and `admin`.
 *
 * @typedef {object} StockRulesOptions
 * @property {string} path Where the stocks are: `events/{event}`, with names in braces for any id.
 * @property {'public' | 'signed-in' | 'one-take'} [access] Who may take: everyone (the default), with keys that the library draws; users, with keys
 *   that are their id or begin with it and a dot; or users, with one take each, whose key is their id.
 * @property {number} [maxUnits] The most units of one take, 1 to 1,000. Default 1.
 * @property {'user' | 'server'} [confirm] Who makes a hold final. `server`: users must hold what they take, and your server confirms it, such as
 *   after a payment. Default `user`.
 * @property {string} [admin] Who may create stocks and add units: an expression as for counterRules(). By default servers only.
 *
 * @typedef {object} JoinedRules
 * @property {string} text The new firestore.rules.
 * @property {RulesFinding[]} findings What to look at before it is deployed.
 *
 * @typedef {object} RulesFinding
 * @property {'version' | 'readable' | 'shard-count' | 'counts' | 'earlier'} kind `version`: the file became one of version 2. `readable`:
 *   everybody can read the documents at `path`, which no other rule lets them. `shard-count`: a rule of the app lets others write how many
 *   shards a counter has. `counts`: it lets others write the own documents of a counter or a stock. `earlier`: there are other rules of counters.
 * @property {number} line Of the new text.
 * @property {string} path
 * @property {'' | 'everybody' | 'users' | 'some'} who Whom the app's rule lets do it; `some`: those whom its condition admits.
 * @property {string} why
 * @property {string} todo
 *
 * @typedef {object} CounterIndexesOptions
 * @property {CounterRulesOptions['layout']} [layout] As the counters'. Default `web`.
 * @property {string} [path] Where the counters are, in layouts whose path is the collection of shards; needed for `total: 'shards'`.
 * @property {'sum' | 'shards'} [total] How totals are read. `sum` (the default) needs the index of the count field. `shards`, for
 *   `get({ source: 'shards' })`, exempts it: shards' counts rise side by side, so their index takes about 500 writes a second.
 * @property {{from: number, to: number}} [ratings] The bounds of ratings: adds the index by which the server adds up at most five values. Nothing else
 *   may stand beside it.
 * @property {readonly string[]} [reactions] The kinds of reactions: the same for at most four kinds.
 *
 * @typedef {object} ShardsNeeded
 * @property {{shards: number, enough: boolean, why: string}} counter For one counter.
 * @property {{shards: number, enough: boolean, tooEarly: boolean, why: string}} collection For a collection with a rising field.
 *   `tooEarly`: up to 500 writes a second a sharded timestamp only costs.
 * @property {number} rampUpMinutes How long the traffic should take to grow, from 500 writes a second on.
 *
 * @typedef {object} CostOptions `perMonth` is how often something happens.
 * @property {'standard' | 'enterprise'} [edition] Default `standard`, as all that the library says of `billed`. In the enterprise
 *   edition reads count in units of 4 KiB and writes in units of 1 KiB, and there is no index but those that are made.
 * @property {string} [location] `us-central1` (the default) or, in the standard edition, `nam5`. For others give `prices`.
 * @property {{reads?: number, writes?: number, deletes?: number, storage?: number}} [prices] Dollars for a million, of documents or units;
 *   `storage` for a GiB in a month.
 * @property {{perMonth: number, delivery?: 'exactly-once' | 'at-least-once' | 'transaction', perCommit?: number}} [increments]
 *   `perCommit`: how many of them one commit gathers, 1 by default.
 * @property {{perMonth: number} & TotalOptions} [totals]
 * @property {{perMonth?: number, hours?: number, changing?: number, intervalMs?: number} & TotalOptions} [watches] So many watches that ask, 1 by
 *   default, of so many hours each (730). The total changes for a share of that time (1), and then stays as it is; where it comes to rest
 *   more often, each time takes about five readings more. `intervalMs` (1,000) is that of watch(). This is the most: the time that answers
 *   take comes on top of each interval, a hidden page reads nothing, and all watches of a page together read five times a second.
 * @property {{perMonth?: number, changes?: number, shards?: number, shardBytes?: number}} [listens] The watches that listen, 1 by default. `changes`: how often a
 *   shard of the counter changes while one lasts, 0 by default. A stream that is opened again, as after each hour in which the page was hidden, is another one.
 * @property {{perMonth: number, refused?: number, held?: number, confirmed?: number, putBack?: number, months?: number, key?: 'drawn' | 'own'}} [takes] Takes
 *   from stocks. `refused`: the answers that too few units are left. `held`: how many of the takes are holds, and `confirmed`: how many of these become
 *   final (all). `putBack`: the calls of putBack(). `months`: how long you keep the documents of takes (12). `key`: `own` if your app chooses the keys.
 * @property {{perMonth: number, documentBytes?: number, indexes?: number, entryBytes?: number}} [inserts] `indexes`: how many entries
 *   of indexes each document has; only the enterprise edition bills them.
 * @property {{documents: number, written?: number, documentBytes?: number, indexes?: number, entryBytes?: number}} [backfill] Once, for
 *   backfill() or reshard(): of so many documents, `written` (all) get a shard: what a dry run tells. `indexes`: how many entries each
 *   write changes.
 * @property {{perMonth: number, limit: number, chunks?: number, chunkReads?: 'share' | 'whole-page', documentBytes?: number, entryBytes?: number}} [queries]
 *   Sharded ones, a page each, of so many chunks: as many as `plan().requests`.
 *
 * @typedef {object} TotalOptions
 * @property {number} [shards] Default 10.
 * @property {'sum' | 'shards'} [source] Default `sum`.
 * @property {number} [shardBytes] The size of a shard's document or index entry. Default 128.
 *
 * @typedef {object} CallDescription
 * @property {string} name `counter.create`
 * @property {'counters' | 'collections' | 'shardline' | 'admin'} module Which has it.
 * @property {string} description
 * @property {ArgumentDescription[]} arguments
 *
 * @typedef {object} ArgumentDescription
 * @property {string} name
 * @property {'text' | 'integer' | 'number' | 'boolean' | 'word' | 'object' | 'list' | 'value' | 'signal' | 'function'} type
 * @property {boolean} required
 * @property {boolean} internal Whether the library itself passes it.
 * @property {string} range What it must be: `an integer from 1 to 10,000`.
 * @property {number} [least]
 * @property {number} [most]
 * @property {string[]} [words] The allowed words.
 * @property {string | number | boolean | null} default Null: none.
 * @property {string} description
 * @property {ArgumentDescription[]} [members] The members of an object, or of a list's elements.
 *
 * @typedef {object} CostItem
 * @property {number} reads In a month: documents or, in the enterprise edition, units.
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
 * @property {{[what in 'increments' | 'markers' | 'totals' | 'watches' | 'listens' | StockCost | 'inserts' | 'queries' | 'backfill']?: CostItem & {dollarsPerMillion: number, readsAtWorst?: number}}} items
 *   For queries it also has the reads of the worst case: a whole page of each chunk. A page of shares by itself reads 1.2 to 1.6 times its
 *   limit; the pages of a stream() about their limits. `markers`: what the markers of increments cost after they were written.
 *   `keptTakes` and `returnedTakes`: the same of the documents of takes; those whose units have all gone back expire.
 * @property {CostItem} perMonth All of them, `backfill` too.
 * @property {{reads: number, writes: number, deletes?: number, storage: number, source: string, asOf: string | null}} prices Dollars for a
 *   million, and for a GiB that is stored for a month; where and when they were read.
 * @property {{reads: number, writes: number}} freePerDay For nothing, for one database of a project.
 *
 * @typedef {object} AuditIndexesOptions
 * @property {Record<string, string[]>} [rising] For each collection id, the fields that rise (or fall) from one document to the next.
 * @property {Record<string, string[]>} [notRising] For each collection id, the fields that do not, whatever their names suggest. `'*'`
 *   stands for all fields that `rising` does not name.
 * @property {Record<string, string[]>} [shards] For each collection id, the fields whose values are random. Default: `shard`.
 *
 * @typedef {object} IndexAudit
 * @property {IndexFinding[]} findings Indexes with fields that rise: the hottest first.
 * @property {IndexCandidate[]} candidates Indexes with fields that perhaps rise. Find out, and pass each field as `rising` or `notRising`.
 *
 * @typedef {IndexFinding & {risk: 'perhaps', hint: 'name' | 'ttl'}} IndexCandidate `hint`: the name suggests that the field rises
 *   (`createdAt`, `timestamp`, …), or the field has a TTL policy.
 *
 * @typedef {object} IndexFinding
 * @property {'composite' | 'single-field'} where In `indexes`; or an index that Firestore keeps of a field, by itself or for
 *   `fieldOverrides`.
 * @property {'hot' | 'perhaps'} risk `hot`: the field that rises comes first. `perhaps`: it comes behind others, and the index is
 *   hot if most documents have the same values there. A candidate is always `perhaps`.
 * @property {string} collection Its id.
 * @property {'COLLECTION' | 'COLLECTION_GROUP'} scope
 * @property {string} field The one that rises.
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
 * @property {(string[] | QueryPlan | QueryPlan['index'])[]} [queries] The queries: for each one its plan(), or the fields that it fixes,
 *   `['exchange']`, if it asks for the newest first. Another direction needs an index of its own, and so does count(),
 *   which goes by the query's orders. `[]` is the query for the newest without a filter. Default: what the file has indexes for, and
 *   queries by the order field alone, in both directions: these use Firestore's own index of the field, which no file lists.
 * @property {number} [writesPerSecond] How many writes the collection takes. An index takes 500, so up to 500 nothing changes. Default:
 *   more.
 *
 * @typedef {object} MoreRewriteIndexesOptions
 * @property {ShardedIndexes[]} [collections]
 * @property {object[]} [indexes] Indexes that are to be there, however hot they are: the `missingIndexes` of an observation, or the
 *   `entry` that explainMissingIndex() has for `indexes`. One with a single field goes to `fieldOverrides`.
 * @property {boolean | CounterIndexesOptions | CounterIndexesOptions[]} [counters] The TTL policies and the exemptions that
 *   counterIndexes() writes. `true` is for counters of the layout `web-sample`.
 * @property {boolean} [ids] Exemptions for sequences of ids.
 * @property {boolean} [stocks] The TTL policies and the exemptions of stocks. The index of the units in a shard stays, and of the time at which a hold ends.
 * @property {boolean} [removeOld] Takes away the indexes that sharded queries do not need, and no longer indexes the order field and the
 *   shard field by themselves. Set it when no released app and no server asks the old queries: they fail without their indexes.
 *
 * @typedef {MoreRewriteIndexesOptions & Partial<ShardedIndexes>} RewriteIndexesOptions The options of a single collection may stand
 *   beside the others.
 *
 * @typedef {object} RewrittenIndexes
 * @property {string} text The file's new content, to be deployed first; the same text if nothing changes.
 * @property {{kind: 'removed' | 'added' | 'exempted', index: object, why: string}[]} changes Each with the entry of `indexes` or
 *   `fieldOverrides`.
 * @property {{text: string, changes: RewrittenIndexes['changes']} | null} next The file without the old indexes, to be deployed when no
 *   query needs them any more: the result with `removeOld`. Null if there are none.
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
 * @property {object} entry To be added to firestore.indexes.json. One of `fieldOverrides` takes the place of all that Firestore keeps of the
 *   field, so it lists that, too: what the file says, if that was given, otherwise the automatic indexes.
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
    return new EmbeddedFirestore(await openHost(runner, options, now), (...args) => runHere(runner.module, ...args), options.persist);
  }
  const host = new WorkerHost(wasm, options);
  try {
    await host.started;
  } catch (error) {
    await host.close();
    throw error;
  }
  return new EmbeddedFirestore(host, (...args) => runInWorker(wasm, ...args), options.persist);
}

/**
 * connect() reads these properties of an embedded Firestore's fetch. It stores what waits to be sent by host: what is meant for one embedded Firestore must
 * reach no other one, and no project. Increments for one that is not kept must not be kept, either.
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

/** An embedded Firestore: give its `fetch` to connect(), or to anything else that speaks Firestore's REST v1. */
export class EmbeddedFirestore {
  #host;
  #run;
  /** Ends what observes it. */
  #closed = new AbortController();
  /** Firestore's streams, from the first request for one on. @type {Promise<import('./simulator/streams/streams.js').Streams> | undefined} */
  #streams;
  /** Tells the other tabs that share the data of writes, and hears of theirs. @type {BroadcastChannel | undefined} */
  #tabs;

  static {
    keepFromProxies(this);
  }

  /**
   * @param {import('./simulator/host.js').Host} host
   * @param {Run} run
   * @param {string} [persist]
   * @hidden Made by the library.
   */
  constructor(host, run, persist) {
    this.#host = host;
    this.#run = checkedRun('run', run);
    this.fetch = Object.assign(this.fetch.bind(this), identity(persist));
    if (persist === undefined) return;
    this.#tabs = new BroadcastChannel(`shardline-embedded-writes:${persist}`);
    this.#tabs.onmessage = ({ data }) => this.#refresh(data === 'emptied');
  }

  /**
   * As the global fetch, whatever the host in the address.
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
    const { channels } = await this.#streams;
    const { method } = request;
    const response = channels.answer(url, method, await request.text());
    if (method !== 'GET' || !response.body) return response;
    // Who listens may go away, as from a server.
    const { readable, writable } = new TransformStream();
    response.body.pipeTo(writable, { signal: ended }).catch(() => {});
    return new Response(readable, response);
  }

  /**
   * Changes latency, faults, limits and dialect from now on, for all tabs that share it.
   * @param {Pick<EmbeddedFirestoreOptions, 'latencyMs' | 'faults' | 'limits' | 'dialect'>} options
   */
  async configure(options) {
    if (typeof options !== 'object') throw notAllowed('options', 'an object', 'The options of configure() must be an object.');
    return this.#host.configure(plain(readOptions('configure', options), 'options'));
  }

  /** @returns {Promise<Observation>} How things stand. */
  snapshot() {
    return this.#host.observe();
  }

  /**
   * Calls back now and then with how things stand.
   * @param {(observation: Observation) => void} listener
   * @param {{intervalMs?: number, signal?: AbortSignal}} [options]
   * @returns {() => void} Ends it.
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
    // Nothing is left to be observed when it is closed, or when its worker has failed; fetch says why.
    look().catch(() => {});
    return stop;
  }

  /**
   * Runs a load experiment in virtual time, minutes of it in about a second, on an empty database of its own: nothing of what
   * this embedded Firestore holds, or was told, plays a part.
   * @param {ExperimentOptions | string} experiment Or the name of one.
   * @param {RunOptions} [options]
   * @returns {Promise<ExperimentReport>}
   */
  async run(experiment, options) {
    return this.#run(experiment, options);
  }

  /** Forgets all data, kept ones as well, and begins counting again. */
  async reset() {
    await this.#host.reset();
    this.#noteWrite(true);
  }

  /** Ends it, and frees its memory. The kept data stays. */
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
  throw invalidArgument(`fetch() takes an address and options, as the browser’s fetch() does. These cannot be read${why}`, {
    reason: 'argument-unreadable', params: { argument: 'fetch()' }, cause,
  });
}

/**
 * @template Result
 * @param {AbortSignal} signal
 * @param {() => Promise<Result>} work Goes on when the caller no longer waits, as a server would.
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
