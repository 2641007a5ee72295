// The types of the events and properties of <shard-counter>.
import { type Change, type ShardCounter, type ShardlineError } from 'shardline/element';

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
