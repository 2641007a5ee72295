// Totals, ids and stocks in TypeScript.
import { type Counter, type CounterReading, type Database, type Id, type LiveTotal, type Stock, type Taken } from 'shardline';

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

export async function tickets(db: Database) {
  const stock: Stock = db.stock('events/e1', { shards: 20 });
  const result: Taken = await stock.take(2, { holdFor: '10 min' });
  // @ts-expect-error Only a take that has units has a key.
  const key: string = result.key;
  if (result.taken) await stock.confirm({ key: result.key });
  else console.log(result.left + 1);
  // @ts-expect-error The key of the take is missing.
  await stock.putBack(1, {});
  // @ts-expect-error The number of units is missing.
  await stock.create({});
  return [key, await stock.left(), stock.watch(({ value }) => value)];
}
