// What TypeScript is to know of a page in which <shard-counter> is defined.
import type { Change, ShardCounter } from './element.js';
import type { ShardlineError } from './errors.js';

declare global {
  interface HTMLElementTagNameMap {
    'shard-counter': ShardCounter;
  }
  /** They bubble: elements, documents and windows hear them. */
  interface GlobalEventHandlersEventMap {
    'shardline-change': CustomEvent<Change>;
    'shardline-like': CustomEvent<{ liked: boolean }>;
    'shardline-error': CustomEvent<ShardlineError>;
  }
}
