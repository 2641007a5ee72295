// Totals and ids in TypeScript.
import { type Counter, type CounterReading, type Database, type Id, type LiveTotal } from 'shardline';

export async function totals(likes: Counter, db: Database) {
  const reading: CounterReading = await likes.get();
  const next: number = reading.number + 1;
  // @ts-expect-error It may be a bigint.
  const exact: number = reading.value + 1;
  const stop = likes.watch(({ number = 0 }: LiveTotal) => number + 1);
  for await (const { value, number } of likes.watch()) if (typeof value === 'number') stop();
  const id: Id = await db.ids('sequences/orders').next();
  await likes.increment();
  const { counted } = await likes.increment(1, { key: 'k' });
  return [next, exact, id, counted];
}
