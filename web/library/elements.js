/// <reference path="./elements_names.d.ts" preserve="true" />
// The entry `shardline/elements`: <shard-counter>, <shard-rating> and <shard-stock>. Importing it defines them; on a server it does nothing.

import { ShardRating } from './element/rating.js';
import { useTexts as useAnyTexts } from './element/settings.js';
import { ShardStock } from './element/stock.js';

export * from './element.js';
export { ShardRating, ShardStock };

/**
 * @typedef {import('./element/more_texts.js').AllTexts} AllTexts
 * @typedef {import('./element/more_texts.js').MoreTexts} MoreTexts
 */

/**
 * Replaces the texts of elements, for example by another language's. Texts that the app leaves out stay English.
 * @type {(replacements: Partial<AllTexts>) => void}
 */
export const useTexts = useAnyTexts;

if (globalThis.customElements) {
  for (const [name, Kind] of /** @type {const} */ ([['shard-rating', ShardRating], ['shard-stock', ShardStock]])) {
    if (customElements.get(name)) console.warn(`Another copy of shardline/elements has defined <${name}>: set its property \`db\`.`);
    else customElements.define(name, Kind);
  }
}
