// An app of Firebase's SDK in TypeScript.
import { type FirebaseApp } from 'firebase/app';
import { increment, serverTimestamp, type Timestamp as FirebaseTimestamp } from 'firebase/firestore';
import { type Timestamp } from 'shardline';
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
