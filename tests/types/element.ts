// The types of the events and properties of the elements.
import { type Change, type ShardCounter, type ShardlineError } from 'shardline/element';
import { type ShardRating, type ShardStock, useTexts } from 'shardline/elements';

export function hear(counter: ShardCounter) {
  const told: (boolean | Change | ShardlineError)[] = [];
  for (const place of [document, document.body, counter, window, document.createElement('shard-counter')]) {
    place.addEventListener('click', () => {});
  }
  document.addEventListener('shardline-like', ({ detail }) => told.push(detail.liked));
  document.body.addEventListener('shardline-change', ({ detail }) => told.push(detail));
  window.addEventListener('shardline-error', ({ detail }) => told.push(detail));
  counter.addEventListener('shardline-like', ({ detail }) => told.push(detail.liked));
  // @ts-expect-error It says whether the user likes it.
  document.addEventListener('shardline-like', ({ detail }) => told.push(detail.count));
  // @ts-expect-error No such event, so nothing is known of it.
  document.addEventListener('shardline-liked', ({ detail }) => told.push(detail));
  const value: number | bigint | undefined = document.querySelector('shard-counter')?.value;
  return [told, value];
}

export function rate(rating: ShardRating, stock: ShardStock) {
  const told: unknown[] = [document.createElement('shard-rating').rating, document.querySelector('shard-stock')?.left];
  rating.addEventListener('shardline-rate', ({ detail }) => told.push(detail.rating?.toFixed()));
  document.addEventListener('shardline-change', ({ detail: { average, count, left } }) => told.push(average?.toFixed(), count?.toFixed(), left?.toFixed()));
  [rating.from, rating.to, rating.user, rating.disabled] = [1, 5, 'ann', false];
  stock.shards = 20;
  useTexts({ like: 'Mag ich', rating: 'Deine Bewertung' });
  // @ts-expect-error The element counts the ratings.
  rating.count = 5;
  // @ts-expect-error No user rates a stock.
  stock.user = 'ann';
  // @ts-expect-error There is no such text.
  useTexts({ stars: 'Sterne' });
  return told;
}
