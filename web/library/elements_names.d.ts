// Declares a page in which <shard-rating> and <shard-stock> are defined, for TypeScript.
import type { ShardRating } from './element/rating.js';
import type { ShardStock } from './element/stock.js';

declare global {
  interface HTMLElementTagNameMap {
    'shard-rating': ShardRating;
    'shard-stock': ShardStock;
  }
  interface GlobalEventHandlersEventMap {
    'shardline-rate': CustomEvent<{ rating: number | null }>;
  }
}
