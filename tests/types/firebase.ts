// An app of Firebase's SDK in TypeScript.
import { type Firestore as AdminFirestore } from '@google-cloud/firestore';
import { type FirebaseApp } from 'firebase/app';
import {
  Bytes, type DocumentReference, doc, documentId, FieldPath, type Firestore, type FirestoreDataConverter, GeoPoint, increment, type QueryDocumentSnapshot, serverTimestamp,
  type SnapshotOptions, Timestamp as SdkTimestamp, type Timestamp as FirebaseTimestamp, vector, type VectorValue, type WithFieldValue,
} from 'firebase/firestore';
import { type FirestoreDataConverter as LiteConverter, type QueryDocumentSnapshot as LiteSnapshot } from 'firebase/firestore/lite';
import { or, type Timestamp, where } from 'shardline';
import { connect } from 'shardline/firebase';

interface Post { title: string; at: Timestamp; likes: number }

/** Values and transforms of Firebase's SDK are taken for those of this library. */
export async function sdk(app: FirebaseApp, at: FirebaseTimestamp) {
  const db = await connect(app);
  const posts = db.shardedCollection<Post>('posts', { shards: 3, orderField: 'at' });
  await posts.add({ title: 'x', at, likes: 0 });
  await posts.add({ title: 'x', at: serverTimestamp(), likes: increment(1) });
  await posts.update('a', { likes: increment(1), at });
  posts.where('at', '<', at).startAfter(at);
  // @ts-expect-error A time is no text.
  await posts.add({ title: at, at, likes: 0 });
}

/** An app of firebase-admin, and the result of its getFirestore(). */
export async function admin(app: { name: string; options: { credential?: { getAccessToken(): Promise<{ access_token: string; expires_in: number }> }; projectId?: string } }, firestore: AdminFirestore) {
  await connect(app, { firestore });
  await connect(app, { projectId: 'my-project' });
  // @ts-expect-error No app.
  await connect({ credential: app.options.credential });
}

class OwnPost {
  constructor(readonly title: string) {}
}

/** As Firebase's documentation writes them. */
const plain: FirestoreDataConverter<OwnPost> = {
  toFirestore: (post: WithFieldValue<OwnPost>) => ({ title: post.title }),
  fromFirestore: (snapshot: QueryDocumentSnapshot, options: SnapshotOptions) => new OwnPost(snapshot.data(options).title),
};
interface StoredPost { title: string; at: FirebaseTimestamp }
const strict: FirestoreDataConverter<OwnPost, StoredPost> = {
  toFirestore: (post: object) => ({ title: (post as OwnPost).title, at: serverTimestamp() }),
  fromFirestore: (snapshot: QueryDocumentSnapshot<StoredPost, StoredPost>) => new OwnPost(snapshot.data().title),
};
const lite: LiteConverter<OwnPost> = { toFirestore: () => ({}), fromFirestore: (snapshot: LiteSnapshot) => new OwnPost(snapshot.get('title')) };

/** Converters, classes and field paths of Firebase's SDKs. */
export async function mixed(app: FirebaseApp, firestore: Firestore) {
  const db = await connect(app, { firestore, values: { Bytes, doc, GeoPoint, Timestamp: SdkTimestamp, vector } });
  const posts = db.shardedCollection<StoredPost>('posts', { shards: 3, orderField: new FieldPath('at') });
  for (const converter of [plain, strict, lite]) {
    const own = posts.withConverter(converter);
    await own.add(new OwnPost('x'));
    const title: string | undefined = (await own.get('a'))?.data().title;
    void title;
  }
  const at: FirebaseTimestamp | undefined = (await posts.get('a'))?.data().at;
  const page = await posts.where(new FieldPath('title'), '==', 'x').orderBy(documentId()).select(new FieldPath('title')).get();
  const title: string | undefined = page.docs[0]?.data().title;
  posts.where(or(where(new FieldPath('title'), '==', 'x'), where('at', '<', at!)));
  await posts.sum(new FieldPath('likes'));
  await posts.update('a', new FieldPath('a.b', 'c'), increment(1), documentId(), 5);
  db.batch().update('posts/a', new FieldPath('a.b'), 5).update('posts/a', 'title', 'x', new FieldPath('b'), 6);
  // @ts-expect-error A class is wanted, and no value.
  await connect(app, { values: { Timestamp: at } });
  // @ts-expect-error No operator.
  posts.where(new FieldPath('title'), '=', 'x');
  return title;
}

/** Documents with the SDK's values, which the option `values` makes. */
interface Article { title: string; author: DocumentReference<Author>; logo: Bytes; embedding: VectorValue; place: GeoPoint; at: FirebaseTimestamp; list: Bytes[] }
interface Author { name: string; articles?: DocumentReference<Article> }

export async function withValues(app: FirebaseApp, firestore: Firestore, one: Article) {
  const db = await connect(app, { firestore, values: { Bytes, doc, GeoPoint, Timestamp: SdkTimestamp, vector } });
  const articles = db.shardedCollection<Article>('articles', { shards: 3, orderField: 'at' });
  await articles.add(one);
  await articles.add({ ...one, author: doc(firestore, 'authors/a'), logo: new Uint8Array(3), at: serverTimestamp(), embedding: vector([1]), list: [one.logo] });
  await articles.update('a', { author: doc(firestore, 'authors/a'), logo: one.logo, at: new Date(), place: new GeoPoint(1, 2) });
  articles.where('author', '==', one.author).where('author', 'in', [doc(firestore, 'authors/a')]).where('logo', '==', one.logo).orderBy('at');
  articles.where('list', 'array-contains', one.logo).where('embedding', '==', one.embedding).startAt(one.at);
  const { docs } = await articles.select('author').get();
  const id: string | undefined = docs[0]?.data().author.id;
  // @ts-expect-error A reference has no fields.
  articles.where('author.id', '==', 'x');
  // @ts-expect-error Nor has what it belongs to.
  articles.orderBy('author.firestore.app.name');
  // @ts-expect-error Bytes have none.
  articles.where('logo.toBase64', '==', 'x');
  // @ts-expect-error A vector has none.
  articles.where('embedding.toArray', '==', 'x');
  // @ts-expect-error It would be written as a map.
  await articles.update('a', { 'author.path': 'x' });
  // @ts-expect-error A text is no reference.
  articles.where('author', '==', 'authors/a');
  return id;
}
