// The calls that TypeScript allows and refuses on collections whose documents have a type. Nothing of this runs: tsc reads it, and a comment marks
// each line that tsc must refuse.
import {
  and, arrayRemove, arrayUnion, Bytes, type Collection, deleteField, type DocumentData, DocumentReference, type DocumentSnapshot,
  type FieldPath, type FieldType, GeoPoint, increment, type LivePage, or, type PageChange, serverTimestamp, type Database, type QueryPage, type ShardedCollection,
  type ShardedQuery, Timestamp, type UpdateData, vector, VectorValue, where, type WithFieldValue,
} from 'shardline';

interface Price { currency: 'USD' | 'JPY'; micros: number; note?: string }

interface Instrument {
  symbol: string;
  price: Price;
  timestamp: Timestamp;
  tags: string[];
  scores: Record<string, number>;
  volume: number | bigint;
  halted?: boolean;
  owner: DocumentReference | null;
  place: GeoPoint;
  logo: Bytes;
  embedding: VectorValue;
  trades: { at: Timestamp; micros: number }[];
  listing?: { exchange: string; since?: Timestamp };
  form: { kind: 'stock'; dividend: number } | { kind: 'bond'; coupon: string };
  extra: any;
  more: unknown;
}

/** Whether two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
function same<A, B>(_: Same<A, B>) {}

export async function reads(db: Database) {
  const rows = db.shardedCollection<Instrument>('instruments', { shards: 3, orderField: 'timestamp' });
  same<typeof rows, ShardedCollection<Instrument>>(true);
  same<ReturnType<typeof db.collection<Price>>, Collection<Price>>(true);

  const page = await rows.where('price.currency', '==', 'USD').orderBy('timestamp', 'desc').limit(5).get();
  same<typeof page, QueryPage<Instrument>>(true);
  const micros: number[] = page.docs.map(({ data }) => data().price.micros);
  const one = await rows.get('a');
  const symbol: string | undefined = one?.data().symbol;
  const sizes: [number, boolean, true | undefined] = [page.size, page.empty, one?.exists()];
  const comments: Collection<Price> = db.collection<Price>('posts', 'p1', 'comments');
  same<typeof comments, ReturnType<typeof db.collection<Price>>>(true);
  db.doc('posts', 'p1').path.length;
  for await (const document of rows.newestFirst()) same<typeof document, DocumentSnapshot<Instrument>>(true);
  for await (const { data } of rows.stream({ pageSize: 10 })) same<ReturnType<typeof data>, Instrument>(true);
  // @ts-expect-error No such field.
  void page.docs[0]?.data().pirce;
  // @ts-expect-error A method.
  void page.docs[0]?.data.symbol;
  return [micros, symbol, sizes];
}

export function live(rows: ShardedCollection<Instrument>, signal: AbortSignal) {
  const stop: () => void = rows.limit(5).onChange((page) => {
    same<typeof page, LivePage<Instrument>>(true);
    const changes: PageChange<Instrument>[] = page.docChanges();
    return [page.docs[0]?.data().price.micros, changes[0]?.doc.data().symbol, page.readTime.seconds];
  }, { maxTargets: 3, onError: ({ code, reason }) => [code, reason], signal });
  rows.select('symbol').onSnapshot(({ docs }) => {
    same<ReturnType<typeof docs[0]['data']>, { symbol: string }>(true);
  }, (error) => error.message);
  // @ts-expect-error No such option.
  rows.onChange(() => {}, { intervalMs: 5 });
  return stop;
}

export function filters(rows: ShardedCollection<Instrument>) {
  rows.where('symbol', '==', 'AAA').where('price.micros', '>', 5).where('price.note', '!=', null).where('owner', '==', null);
  rows.where('timestamp', '>', Timestamp.now()).where('timestamp', '<', new Date());
  rows.where('symbol', 'in', ['A', 'B']).where('price.currency', 'not-in', ['JPY'] as const);
  rows.where('tags', 'array-contains', 'x').where('tags', 'array-contains-any', ['x', 'y']).where('tags', '==', ['x']);
  rows.where('trades', 'array-contains', { at: new Date(), micros: 5 });
  rows.where('scores.ann', '>', 5).where('volume', '>', 5n).where('listing.exchange', '==', 'X').where('halted', '==', true);
  rows.where('form.kind', '==', 'bond').where('form.coupon', '==', 'x').where('form.dividend', '>', 1);
  rows.where('extra.at.all', '==', 'x').where('extra', 'array-contains', 5).where('more.of.it', '==', {});
  rows.where('__name__', '>', new DocumentReference('x')).where('`odd-name`', '==', 5).where('place', '==', new GeoPoint(1, 2));

  // @ts-expect-error Misspelt.
  rows.where('pirce.micros', '==', 5);
  // @ts-expect-error Misspelt behind the dot.
  rows.where('price.micro', '==', 5);
  // @ts-expect-error A Timestamp has no fields.
  rows.where('timestamp.seconds', '==', 5);
  // @ts-expect-error An array has no fields.
  rows.where('tags.length', '==', 5);
  // @ts-expect-error A number is no text.
  rows.where('price.micros', '==', '5');
  // @ts-expect-error Not one of the words.
  rows.where('price.currency', '==', 'EUR');
  // @ts-expect-error Not one of the words.
  rows.where('price.currency', 'in', ['USD', 'EUR']);
  // @ts-expect-error `in` needs a list.
  rows.where('symbol', 'in', 'A');
  // @ts-expect-error No array.
  rows.where('symbol', 'array-contains', 'A');
  // @ts-expect-error Elements are texts.
  rows.where('tags', 'array-contains', 5);
  // @ts-expect-error An element, not a list of them.
  rows.where('tags', 'array-contains', ['x']);
  // @ts-expect-error No such operator.
  rows.where('symbol', '===', 'A');
  // @ts-expect-error Null has no order.
  rows.where('price.micros', '>', null);
  // @ts-expect-error Records hold numbers here.
  rows.where('scores.ann', '==', 'x');
}

export function joined(rows: ShardedCollection<Instrument>) {
  rows.where(where('price.micros', '>', 5));
  rows.where(or(where('price.micros', '>', 5), and(where('price.currency', '==', 'USD'), where('timestamp', '<', new Date()))));
  rows.where(and(where('tags', 'array-contains', 'x'), where('symbol', 'in', ['A', 'B']), where('owner', '==', null)));
  rows.where(or(...['A', 'B'].map((symbol) => where('symbol', '==', symbol))));
  rows.where(where('scores.ann', '>', 5));
  // @ts-expect-error Misspelt.
  rows.where(where('price.micro', '>', 5));
  // @ts-expect-error Not one of the words, deep inside.
  rows.where(or(where('price.micros', '>', 5), and(where('price.currency', '==', 'EUR'), where('symbol', '==', 'A'))));
  // @ts-expect-error A number is no text.
  rows.where(or(where('symbol', '==', 5), where('symbol', '==', 'A')));
  // @ts-expect-error No filter.
  rows.where(and('symbol'));
  // @ts-expect-error No filter.
  rows.where({});
}

export async function orders(rows: ShardedCollection<Instrument>) {
  rows.newestFirst().orderBy('price.micros').orderBy('listing.since', 'asc').orderBy('__name__');
  rows.startAt(new Date()).startAfter(Timestamp.now(), 5).endAt('A').endBefore(null);
  const sum: number | bigint = await rows.sum('price.micros');
  const average: number | null = await rows.where('symbol', '==', 'A').average('volume');
  await rows.sum('scores.ann');
  await rows.sum('form.dividend');
  await rows.sum('extra.x');
  // @ts-expect-error Misspelt.
  rows.orderBy('price.micro', 'desc');
  // @ts-expect-error No direction.
  rows.orderBy('symbol', 'down');
  // @ts-expect-error A text cannot be added up.
  await rows.sum('symbol');
  // @ts-expect-error Misspelt.
  await rows.average('price.micro');
  const page = await rows.get();
  // @ts-expect-error The last page has no next one.
  rows.continueFrom(page.nextToken);
  return [sum, average];
}

export async function selected(rows: ShardedCollection<Instrument>) {
  const { docs } = await rows.select('symbol', 'price.micros', 'listing.exchange').where('tags', 'array-contains', 'x').newestFirst().get();
  type Few = { symbol: string; price: { micros: number }; listing?: { exchange: string } };
  const few: Few | undefined = docs[0]?.data();
  const back: ReturnType<(typeof docs)[number]['data']> = few!;
  for await (const { data } of rows.select('price')) same<ReturnType<typeof data>['price'], Price>(true);
  // @ts-expect-error Not selected.
  void docs[0]?.data().timestamp;
  // @ts-expect-error Not selected.
  void docs[0]?.data().price.currency;
  // @ts-expect-error Misspelt.
  rows.select('symbol', 'price.micro');
  const [nothing] = (await rows.select().get()).docs;
  // @ts-expect-error Ids and times alone.
  void nothing?.data().symbol;
  return back;
}

declare const whole: Instrument;
declare const some: Partial<Instrument>;

export async function writes(rows: ShardedCollection<Instrument>) {
  const { id, shard } = await rows.add(whole);
  await rows.addAll([whole, { ...whole, timestamp: new Date() }], { onProgress: ({ written }) => written });
  await rows.set('a', whole);
  await rows.add({
    ...whole,
    timestamp: serverTimestamp(),
    price: { currency: 'USD', micros: increment(5) },
    tags: arrayUnion('x', 'y'),
    trades: [{ at: new Date(), micros: 1 }],
    scores: { ann: increment(1) },
    volume: increment(1n),
    logo: new Uint8Array(3),
    embedding: vector([1, 2]),
    form: { kind: 'bond', coupon: 'x' },
  });
  await rows.add({ ...whole, trades: arrayRemove({ at: new Date(), micros: 1 }), tags: ['x'] as const });
  await rows.set('a', some, { merge: true });
  await rows.set('a', { price: { micros: 5, note: deleteField() }, scores: { ann: deleteField() }, listing: { since: serverTimestamp() } }, { merge: true });
  await rows.set('a', some, { merge: true, move: true });
  // @ts-expect-error A whole document is written anew.
  await rows.set('a', whole, { move: true });
  await rows.update('a', some);
  await rows.update('a', {
    symbol: 'A',
    'price.micros': increment(5),
    'price.note': deleteField(),
    'listing.since': serverTimestamp(),
    'scores.ann': 5,
    'scores.bob': deleteField(),
    tags: arrayUnion('x'),
    timestamp: new Date(),
    'form.coupon': 'y',
    halted: deleteField(),
    extra: { any: 'thing' },
  }, { move: true });

  // @ts-expect-error Nearly everything is missing.
  await rows.add({ symbol: 'A' });
  // @ts-expect-error No such field.
  await rows.add({ ...whole, pirce: 5 });
  // @ts-expect-error A text is no number.
  await rows.add({ ...whole, price: { currency: 'USD', micros: '5' } });
  // @ts-expect-error A number cannot become a time.
  await rows.add({ ...whole, price: { currency: 'USD', micros: serverTimestamp() } });
  // @ts-expect-error A text cannot be incremented.
  await rows.add({ ...whole, symbol: increment(1) });
  // @ts-expect-error Elements are texts.
  await rows.add({ ...whole, tags: arrayUnion(5) });
  // @ts-expect-error No array.
  await rows.add({ ...whole, symbol: arrayUnion('x') });
  // @ts-expect-error A new document has nothing to be deleted.
  await rows.add({ ...whole, halted: deleteField() });
  // @ts-expect-error A list holds values alone.
  await rows.add({ ...whole, trades: [{ at: serverTimestamp(), micros: 1 }] });
  // @ts-expect-error A Timestamp is no text.
  await rows.add({ ...whole, symbol: Timestamp.now() });
  // @ts-expect-error Of a document that stays, some fields need `merge`.
  await rows.set('a', some);
  // @ts-expect-error Every document has a symbol.
  await rows.set('a', { symbol: deleteField() }, { merge: true });
  // @ts-expect-error Misspelt.
  await rows.update('a', { 'price.micro': 5 });
  // @ts-expect-error A text is no number.
  await rows.update('a', { 'price.micros': '5' });
  // @ts-expect-error Every price has a currency.
  await rows.update('a', { 'price.currency': deleteField() });
  // @ts-expect-error Without its micros it would be no price.
  await rows.update('a', { price: { currency: 'USD' } });
  // @ts-expect-error Records hold numbers here.
  await rows.update('a', { 'scores.ann': 'x' });
  await rows.update('a', 'price.micros', increment(5), 'price.note', deleteField());
  await rows.update('a', 'form.coupon', 'y', { move: true, signal: new AbortController().signal });
  await rows.update('a', 'halted', deleteField());
  await rows.update('a', 'extra.any', { thing: 1 }, '`odd-name`', 5);
  // @ts-expect-error Misspelt.
  await rows.update('a', 'price.micro', 5);
  // @ts-expect-error A text is no number.
  await rows.update('a', 'price.micros', '5');
  // @ts-expect-error Every price has a currency.
  await rows.update('a', 'price.currency', deleteField());
  // @ts-expect-error No value.
  await rows.update('a', 'price.micros');
  await rows.update('a', 'symbol', 'x', 'price.micros', increment(5), 'tags', arrayUnion('x'), 'timestamp', new Date(), 'price', { currency: 'USD', micros: 1 }, { move: true });
  // @ts-expect-error A text is no number, in the second pair either.
  await rows.update('a', 'symbol', 'x', 'price.micros', '5');
  // @ts-expect-error Misspelt, in the second pair.
  await rows.update('a', 'symbol', 'x', 'price.micro', 5);
  // @ts-expect-error Elements are texts, in the third pair either.
  await rows.update('a', 'symbol', 'x', 'halted', true, 'tags', arrayUnion(5));
  // @ts-expect-error Every price has a currency.
  await rows.update('a', 'symbol', 'x', 'halted', true, 'volume', 5n, 'price.currency', deleteField());
  // @ts-expect-error No such field of a price.
  await rows.update('a', 'symbol', 'x', 'price', { currency: 'USD', micros: 5, mircos: 5 });
  // @ts-expect-error No value for the second field.
  await rows.update('a', 'symbol', 'x', 'halted');
  // @ts-expect-error Options stand at the end.
  await rows.update('a', 'symbol', 'x', { move: true }, 'halted', true);
  // @ts-expect-error No such option.
  await rows.update('a', 'symbol', 'x', { mvoe: true });
  // @ts-expect-error No such option.
  await rows.add(whole, { onProgress() {} });
  return [id, shard];
}

/** A signal that may be missing is passed on as it is. */
export async function passedOn(db: Database, rows: ShardedCollection<Price>, price: Price, signal: AbortSignal | undefined) {
  await rows.add(price, { signal });
  await rows.addAll([price], { signal });
  await rows.set('a', price, { signal });
  await rows.update('a', { micros: 5 }, { signal });
  await rows.get('a', { signal });
  await rows.get({ signal });
  await rows.count({ signal });
  await rows.sum('micros', { signal });
  await rows.delete('a', { signal });
  await rows.backfill({ signal });
  await db.ids('ids/a').next({ signal });
  await db.batch().delete('a/1').commit({ signal });
  await db.countedSet('posts/p1').add('ann', { signal });
  await db.counter('posts/p1').increment(1, { signal });
}

export function options(db: Database) {
  const shards = ['x', 'y', 1] as const;
  void db.shardedCollection('a', { shards, alsoRead: shards }).reshard(shards);
  const bytes: Bytes = Bytes.fromBase64String('AQID');
  bytes.toBase64().length;
  db.shardedCollection<Instrument>('a', { shards: 3, orderField: 'listing.since', shardBy: ({ symbol }) => (typeof symbol === 'string' ? symbol[0] : undefined) });
  db.shardedCollection('a', { shards: 3, orderField: 'any.thing', shardBy: (data) => data.whatever });
  // @ts-expect-error Misspelt.
  db.shardedCollection<Instrument>('a', { shards: 3, orderField: 'timestmp' });
  // @ts-expect-error An ordinary collection has no options.
  db.collection('a', { shards: 3 });
  const prices: Collection<Price> = db.collection('prices');
  // @ts-expect-error No field holds a Timestamp.
  prices.orderBy('micros').startAt(Timestamp.now());
  return prices;
}

/** Without a type everything is as it always was. */
export async function untyped(db: Database, instrument: Instrument) {
  const rows = db.shardedCollection('a', { shards: 3 });
  same<typeof rows, ShardedCollection>(true);
  same<typeof rows, ShardedCollection<DocumentData>>(true);
  await rows.add(instrument);
  await rows.addAll([instrument, { x: serverTimestamp() }]);
  await rows.set('a', { any: increment(1) }, { merge: true });
  await rows.set('a', instrument);
  await rows.update('a', { 'a.b': deleteField() });
  await rows.update('a', instrument);
  await rows.update('a', 'a.b', 5, 'c', deleteField());
  const field: string = 'x';
  const value: unknown = 5;
  const { docs } = await rows.where(field, '==', value).where(where(field, 'in', [1])).where(or(where('a', '==', 1), where('b', '==', 'x')))
    .orderBy(field).newestFirst().select('a', field).startAt(value).get();
  docs[0]?.data().a.b.c;
  await rows.sum('a.b');
  const rest: unknown[] = ['b', value];
  await rows.update('a', field, value, field, value, 'c', null, 'd', undefined);
  await rows.update('a', field, value, ...rest);
  // @ts-expect-error No object.
  await rows.add('x');
  // @ts-expect-error No such operator.
  rows.where(field, '===', 5);
}

/** Code for any document. */
export class Repository<T extends object> {
  constructor(readonly rows: Collection<T>) {}

  async all(): Promise<T[]> {
    return (await this.rows.get()).docs.map(({ data }) => data());
  }

  add(document: T) {
    return this.rows.add(document);
  }

  replace(id: string, document: WithFieldValue<T>) {
    return this.rows.set(id, document);
  }

  change(id: string, changes: UpdateData<T>) {
    return this.rows.update(id, changes);
  }

  changeField(id: string, field: FieldPath<T>, value: any) {
    return this.rows.update(id, field, value, field, value, { move: false });
  }

  by(field: FieldPath<T>) {
    return this.rows.orderBy(field);
  }
}

/** Functions that ask nothing of the documents take collections of any type. */
export function anything(rows: ShardedCollection<Instrument>, posts: Collection<Price>) {
  const count = (query: ShardedQuery<any>) => query.count();
  const path = (collection: Collection<any>) => collection.path;
  return [count(rows), count(posts), count(rows.limit(5)), path(posts), path(rows)];
}

// Types that contain themselves, that are large, or that say nothing.
interface Tree { name: string; left?: Tree; right?: Tree; children: Tree[]; byName: Record<string, Tree> }
interface Web { a: Web; b: Web; c: Web; d: Web; e: Web; f: Web; g: Web; h: Web; n: number }
type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

export async function unusual(db: Database) {
  const trees = db.collection<Tree>('trees');
  trees.where('left.right.left.name', '==', 'x').where('left.left.left.left.left.left.left.name', '==', 'x').where('byName.x.name', '==', 'x');
  await trees.update('a', { 'left.right.name': 'x', 'left.right': deleteField() });
  // @ts-expect-error Misspelt.
  trees.where('left.right.nam', '==', 'x');
  const webs = db.collection<Web>('webs');
  webs.where('a.b.c.d.n', '==', 5);
  await webs.sum('a.b.n');
  const anything = db.collection<any>('any');
  anything.where('a.b', '==', 5).select('x').orderBy('y');
  await anything.add({ a: 5 });
  (await anything.get()).docs[0]?.data().a.b;
  const unknown = db.collection<unknown>('unknown');
  unknown.where('a.b', '==', 5).select('x').orderBy('y');
  await unknown.add({ a: 5 });
  await unknown.update('a', { a: 5 });
  await unknown.update('a', 'a.b', 5);
  // @ts-expect-error Nothing is known of it.
  (await unknown.get()).docs[0]?.data().a;
  const json = db.collection<{ payload: Json; at: Timestamp }>('json');
  json.where('payload', '==', 'x').where('payload.a', '==', 5);
  await json.add({ payload: { a: [1, { b: 2 }] }, at: new Date() });
  const records = db.collection<Record<string, number>>('records');
  records.where('a', '>', 5);
  await records.add({ a: 5, b: increment(1) });
  await records.update('a', { a: 6 });
  await records.update('a', 'a', 6);
  (await records.select('a').get()).docs[0]?.data().a;
}

/** A map that looks like one of the library's values is a map all the same. */
interface File { file: { name: string; path: string; id: string }; moment: { seconds: number; nanoseconds: number }; at: { latitude: number; longitude: number } }

export function lookalikes(db: Database) {
  db.collection<File>('files').where('file.path', '==', 'x').where('moment.seconds', '>', 5).where('at.latitude', '>', 5);
  same<FieldType<File, 'file.path'>, string>(true);
}

export async function batches(db: Database) {
  const prices = db.collection<Price>('prices');
  const sharded = db.shardedCollection<Price>('quotes', { shards: 3 });
  const batch = db.batch().set('a/1', { n: increment(1) }, { merge: true }).update('a/2', { 'b.c': deleteField() }).update('a/2', 'b.d', 5, 'e', deleteField()).delete('a/3');
  same<ReturnType<typeof batch.add<Price, { id: string }>>, { id: string }>(true);
  batch.add(prices, { currency: 'USD', micros: increment(5) }).id.length;
  const { id, shard } = batch.increment(db.counter('posts/p1'), 2n).add(sharded, { currency: 'JPY', micros: 5 });
  same<typeof shard, string | number>(true);
  // @ts-expect-error No value for the second field.
  batch.update('a/2', 'b.d', 5, 'e');
  // @ts-expect-error A batch has no options.
  batch.update('a/2', 'b.d', 5, { move: true });
  // @ts-expect-error No such currency.
  batch.add(prices, { currency: 'EUR', micros: 5 });
  // @ts-expect-error A counter is no collection.
  batch.add(db.counter('posts/p1'), {});
  const { commitTime } = await batch.commit({ signal: new AbortController().signal });
  same<typeof commitTime, Timestamp | null>(true);
  const { applied } = await db.batch().withdraw();
  return applied ? id : '';
}

/** The stored document, and the app's object. */
interface StoredPost { headline: string; at: Timestamp }
class Post {
  constructor(readonly title: string, readonly at: Date) {}
}

export async function converted(db: Database) {
  const stored = db.shardedCollection<StoredPost>('posts', { shards: 3, orderField: 'at' });
  const posts = stored.withConverter({
    toFirestore: ({ title, at }: Post) => ({ headline: title, at }),
    fromFirestore: (snapshot) => new Post(snapshot.data().headline, snapshot.get('at').toDate()),
  });
  same<typeof posts, ShardedCollection<StoredPost, Post>>(true);
  const { shard } = await posts.add(new Post('x', new Date()));
  const reading = await posts.get('a');
  same<NonNullable<typeof reading>['data'], () => Post>(true);
  const { docs } = await posts.where('headline', '==', 'x').orderBy('at', 'desc').limit(5).get();
  same<NonNullable<(typeof docs)[0]>['data'], () => Post>(true);
  for await (const { data } of posts) data().title.length;
  // The result of select() is no post.
  const [few] = (await posts.select('headline').get()).docs;
  same<NonNullable<typeof few>['data'], () => { headline: string }>(true);
  await posts.update('a', { headline: 'y' });
  db.batch().add(posts, new Post('x', new Date())).shard;
  same<ReturnType<typeof posts.withConverter>, ShardedCollection<StoredPost>>(true);
  const ordinary = db.collection('posts').withConverter({ toFirestore: (post: Post) => ({ ...post }), fromFirestore: ({ id }) => id });
  same<typeof ordinary, Collection<DocumentData, { id: string }, string>>(true);
  // @ts-expect-error Field paths are those of what is stored.
  posts.where('title', '==', 'x');
  // @ts-expect-error No post.
  await posts.add({ headline: 'x', at: new Date() });
  // @ts-expect-error Written in terms of what is stored.
  await posts.update('a', { title: 'y' });
  // @ts-expect-error Half a converter.
  stored.withConverter({ fromFirestore: () => 5 });
  // @ts-expect-error An object of the app is no plain data.
  void reading?.data().headline;
  return shard;
}

/** In a function for all documents that have a time, fields of the constraint can be named, though nothing can be looked up. */
export async function anyKind<T extends { timestamp: Timestamp; kind: string }>(db: Database, one: T) {
  const rows = db.shardedCollection<T>('rows', { shards: 3, orderField: 'timestamp' });
  const { docs } = await rows.orderBy('timestamp', 'desc').orderBy('kind').limit(5).get();
  await rows.add(one);
  const data: T | undefined = docs[0]?.data();
  const at: Timestamp | undefined = docs[0]?.data().timestamp;
  (rows as Collection<any>).where('kind', '==', 'x').where('timestamp', '>', new Date());
  // @ts-expect-error Not of the constraint.
  rows.orderBy('price');
  return [data, at];
}
