// What TypeScript is to know of a page in which <shard-counter> is defined.
import type { Change, ShardCounter } from './element.js';
import type { ShardlineError } from './errors.js';

declare global {
  interface HTMLElementTagNameMap {
    'shard-counter': ShardCounter;
  }
  interface HTMLElementEventMap {
    'shardline-change': CustomEvent<Change>;
    'shardline-like': CustomEvent<{ liked: boolean }>;
    'shardline-error': CustomEvent<ShardlineError>;
  }
}
