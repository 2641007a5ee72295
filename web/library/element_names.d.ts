// Declares a page in which <shard-counter> is defined, for TypeScript.
import type { Change, ShardCounter } from './element.js';
import type { ShardlineError } from './errors.js';

declare global {
  /** For programs without TypeScript's types of the DOM, such as on a server. If those types are present, they say the same and more. */
  interface HTMLElement {}
  var HTMLElement: { prototype: HTMLElement, new(): HTMLElement };
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
