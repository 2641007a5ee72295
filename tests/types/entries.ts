// The types that every entry exports, in functions of an app that take and pass them: also without types of the DOM.
import {
  and, type BatchResult, type CountedSet, type Counter, type Database, type ErrorCode, type ErrorReason, type FieldPath, increment, type LiveSummary, type LiveTotal, or,
  type PlannedIndex, type QueryFilter, type QueryPlan, type Ratings, type RatingSummary, type Reactions, type ReactionSummary, type SeenCollection, type ShardedCollection, ShardlineError, type Timestamp, where, type WatchOptions, type WriteBatch,
} from 'shardline';
import { type FieldCounter, type FieldCounters, type FieldReading, type LiveFields, type PublishedFields } from 'shardline';
import { connect as connectCollections } from 'shardline/collections';
import { connect as connectCounters, type Database as CounterDatabase } from 'shardline/counters';
import { connect as connectDebug, type ConnectOptions, type Database as DebugDatabase } from 'shardline/debug';
import {
  type Change, type Counter as ElementCounter, type DatabaseSource, type FieldCounter as ElementFields, type ShardCounter, type Texts, useDatabase, useTexts,
} from 'shardline/element';
import 'shardline/element.css';
import { type AllTexts, type Change as AnyChange, type ShardCounter as AnyCounter, type ShardRating, type ShardStock, useDatabase as useAnyDatabase } from 'shardline/elements';
import { connect as connectApp, type FirebaseApp, type FirebaseOptions } from 'shardline/firebase';
import { type AppOptions, connect as connectAppCounters } from 'shardline/firebase-counters';
import { connect as connectInline } from 'shardline/inline';
import { describeErrors, openWorkbench, type EmbeddedFirestore, type Workbench } from 'shardline/workbench';

/** Whether two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_: Same<A, B>) {}

export async function opened(options: ConnectOptions, app: FirebaseApp, more: FirebaseOptions, less: AppOptions) {
  const [whole, inline, debug, ofApp] = await Promise.all([connectDebug(options), connectInline(options), connectDebug(options), connectApp(app, more)]);
  const all: Database[] = [whole, inline, debug, ofApp];
  same<DebugDatabase, Database>(true);
  const counters: CounterDatabase[] = [await connectCounters(options), await connectAppCounters(app, less), ...all];
  const { projectId, databaseId, host } = options;
  const collections = await connectCollections({ projectId, ...(databaseId && { databaseId }), ...(host && { host }) });
  // @ts-expect-error It has none.
  collections.counter('posts/p1');
  // @ts-expect-error It has none.
  counters[0]?.batch();
  // @ts-expect-error It has none.
  counters[0]?.ratings('restaurants/r1', { from: 1, to: 5 });
  return [all, counters, collections.shardedCollection('rows', { shards: 3 })] as const;
}

export async function stars(db: Database, user: string, signal: AbortSignal) {
  const ratings: Ratings = db.ratings('restaurants/r1', { from: 1, to: 5 });
  const { changed }: { changed: boolean } = await ratings.set(user, 4, { signal });
  const value: number | undefined = await ratings.get(user);
  const summary: RatingSummary = await ratings.summary({ source: 'shards' });
  const average: number | null = summary.average;
  const reactions = db.reactions('posts/p1', { kinds: ['like', 'love'], shards: 3 });
  same<typeof reactions, Reactions<'like' | 'love'>>(true);
  await reactions.set(user, 'love');
  const kind: 'like' | 'love' | undefined = await reactions.get(user);
  const { like }: { like: number } = (await reactions.summary()).counts;
  const stop: () => void = ratings.watch(({ summary: live, pending, state }) => `${live?.average} ${pending} ${state}`, { readsPerHour: 60, signal });
  const snapshot: LiveSummary<RatingSummary> = ratings.getSnapshot();
  for await (const { summary: live } of reactions.watch({ listen: false })) same<typeof live, ReactionSummary<'like' | 'love'> | undefined>(true);
  const published: RatingSummary = await ratings.publish({ average: 'stars.mean', count: 'votes', signal });
  const { counts: { love } } = await reactions.publish({ counts: 'reactions' });
  const { deleted }: { deleted: number } = await reactions.delete();
  // @ts-expect-error Reactions have no average.
  await reactions.publish({ average: 'mean' });
  // @ts-expect-error There is no shared summary.
  ratings.watch(() => {}, { maxAgeMs: 5 });
  // @ts-expect-error It is no kind.
  await reactions.set(user, 'hate');
  // @ts-expect-error The bounds are missing.
  db.ratings('restaurants/r1');
  // @ts-expect-error A rating is a number.
  await ratings.set(user, '4');
  return { changed, value, average, kind, like, stop, snapshot, published, love, deleted };
}

export async function claps(db: Database, signal: AbortSignal) {
  const claps = db.counter('posts/p1', { fields: ['like', 'love'], shards: 10, maxDelta: 5n });
  same<typeof claps, FieldCounter<'like' | 'love'>>(true);
  const nothing: void = await claps.increment({ love: 1, like: -1n }, { signal });
  const { totals, pending, source }: FieldReading<'like' | 'love'> = await claps.get({ source: 'shards', signal });
  const love: number | bigint = totals.love;
  same<typeof source, 'sum' | 'shards'>(true);
  const stop: () => void = claps.watch(({ totals: live }: LiveFields<'like' | 'love'>) => live?.like);
  for await (const { totals: live } of claps.watch({ intervalMs: 2000 })) return live?.love;
  const { created }: { created: boolean } = await claps.create({ ifExists: 'keep' });
  const { shards }: { shards: number } = await claps.resize(20);
  const { deleted }: { deleted: number } = await claps.delete();
  const published: PublishedFields<'like' | 'love'> = await claps.publish({ field: 'claps', signal });
  const many: FieldCounters<'like' | 'love'> = db.counters(['posts/p1'], { fields: ['like', 'love'] });
  const all: Map<string, FieldReading<'like' | 'love'>> = await many.getAll();
  const plain: Counter = db.counter('posts/p1', { shards: 10 });
  // @ts-expect-error It is no field.
  await claps.increment({ hate: 1 });
  // @ts-expect-error It has fields.
  await claps.increment(1);
  db.counter('posts/p1', { fields: ['like'], publish: { field: 'likes', everyMs: 5000 } });
  // @ts-expect-error The field has no name.
  db.counter('posts/p1', { fields: ['like'], publish: { everyMs: 5000 } });
  // @ts-expect-error It has no shared total.
  claps.watch(() => {}, { maxAgeMs: 1000 });
  return [nothing, pending.like, love, stop, created, shards, deleted, published, all, plain];
}

export async function likes(posts: CountedSet, sold: Counter, user: string, signal: AbortSignal) {
  const { changed }: { changed: boolean } = await posts.add(user, { signal });
  const taken: { changed: boolean } = await posts.remove(user);
  const has: boolean = await posts.has(user, { signal });
  const { counted }: { counted: boolean } = await sold.increment(5n, { key: 'event-4711', signal });
  const nothing: void = await sold.increment(5, { signal });
  // @ts-expect-error A key is a text.
  await posts.add(5);
  // @ts-expect-error A set has no amounts.
  await posts.increment(5);
  // @ts-expect-error A counter has no keys.
  await sold.add('ann');
  // @ts-expect-error A key is a text.
  await sold.increment(1, { key: 5 });
  // @ts-expect-error Without a key it does not say whether it counted.
  (await sold.increment(1)).counted;
  return [changed, taken.changed, has, counted, nothing];
}

export async function shown(posts: Counter, options: WatchOptions, show: (text: string) => void) {
  const told = ({ state, value, number, pending, error, reading }: LiveTotal) => {
    same<typeof state, 'loading' | 'live' | 'offline' | 'error'>(true);
    same<typeof value, number | bigint | undefined>(true);
    same<typeof number, number | undefined>(true);
    same<typeof error, ShardlineError | undefined>(true);
    show(`${state} ${value ?? '–'} ${pending} ${error?.reason} ${reading?.billed.reads}`);
    // @ts-expect-error There is no such state.
    return state === 'stale';
  };
  const ends: (() => void)[] = [posts.subscribe(told), posts.watch(told, options)];
  const { subscribe, getSnapshot } = posts;
  ends.push(subscribe(() => told(getSnapshot())));
  for await (const total of posts.watch(options)) told(total);
  // @ts-expect-error It must be a function.
  posts.subscribe('change');
  for (const end of ends) end();
}

export async function written(db: Database, posts: Counter, prices: ShardedCollection<{ currency: 'USD' | 'JPY', at: Timestamp }>) {
  const batch: WriteBatch = db.batch().create('orders/1', { n: 1 }).set('orders/2', { n: increment(1) }, { merge: true }).increment(posts);
  const { writes, commitTime }: BatchResult = await batch.commit();
  same<typeof commitTime, Timestamp | null>(true);
  const { applied }: { applied: boolean } = await batch.withdraw();
  // @ts-expect-error A batch writes by path.
  batch.delete(db.doc('orders/1'));
  const path: FieldPath<{ price: { currency: string } }> = 'price.currency';
  // @ts-expect-error Misspelt.
  const wrong: FieldPath<{ price: { currency: string } }> = 'price.curency';
  const either: QueryFilter = or(where('currency', '==', 'USD'), and(where('currency', '==', 'JPY'), where('at', '<', new Date())));
  const query = prices.where(or(where('currency', '==', 'USD'), where('currency', 'in', ['JPY']))).orderBy('at', 'desc');
  // @ts-expect-error No such currency.
  prices.where(or(where('currency', '==', 'EUR'), where('currency', '==', 'USD')));
  const plan: QueryPlan = query.plan();
  const indexes: PlannedIndex[] = plan.indexes;
  const seen: SeenCollection[] = db.seenQueries();
  return [writes, applied, path, wrong, either, indexes, seen];
}

/** The error, in a user's words. */
export function worded(error: unknown): string {
  if (!(error instanceof ShardlineError)) throw error;
  const words: { [reason in ErrorReason]?: string } = { 'no-network': 'You are offline.' };
  const codes: ErrorCode[] = ['unavailable', 'outcome-unknown'];
  same<typeof error.reason, ErrorReason>(true);
  // @ts-expect-error There is no such code.
  codes.push('not-known');
  return words[error.reason] ?? (codes.includes(error.code) ? 'Try again.' : error.message);
}

/** On a server, too: a page's code for the element has types there, although nothing of it runs. */
export function elements(source: DatabaseSource, counter: AnyCounter, rating: ShardRating, stock: ShardStock, texts: Partial<AllTexts>): Pick<AnyChange, 'average' | 'count' | 'rating' | 'left'> {
  same<AnyCounter, ShardCounter>(true);
  useAnyDatabase(source);
  [counter.path, rating.to, stock.path] = ['posts/p1', 5, texts.soldOut ?? null];
  const { average, count, rating: own } = rating;
  return { average, count, rating: own, left: stock.left };
}

export function element(source: DatabaseSource, counter: ElementCounter, claps: ElementFields<'like' | 'love'>, texts: Partial<Texts>, button: ShardCounter) {
  useDatabase(source);
  useTexts(texts);
  // @ts-expect-error Neither a database nor a function.
  useDatabase(5);
  button.counter = counter;
  button.counter = claps;
  button.type = 'like';
  button.fields = 'like,love';
  button.field = 'love';
  // @ts-expect-error No such type.
  button.type = 'heart';
  const change: Change = { value: 5n, pending: 0, state: button.state, liked: true };
  return [change, button.value, button.liked];
}

export async function tested(): Promise<[Workbench, EmbeddedFirestore, ErrorReason[]]> {
  const workbench = await openWorkbench();
  return [workbench, await workbench.createEmbeddedFirestore({ limits: 'none' }), describeErrors().map(({ reason }) => reason)];
}
