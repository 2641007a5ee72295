import { h } from '../dom.js';
import { readNumber } from '../text.js';
import { input } from './controls.js';
import { attempt, Field, focusRefused } from './field.js';

/** @typedef {{path: string, shards: number | string[]}} CollectionSettings */

/** Which collection, and its shard values. Sends `input` events when something has changed. */
export class InstrumentsForm {
  #path = new Field('instruments.path', input('collection', { value: 'instruments' }), 'instruments.path.hint');
  #shards = new Field('instruments.shards', input('shardValues', { value: 'x, y, z' }), 'instruments.shards.hint');
  element = h('div', { class: 'fields' }, this.#path.element, this.#shards.element);

  /** @returns {CollectionSettings} */
  get settings() {
    return { path: this.#path.value, shards: parseShards(this.#shards.value) };
  }

  /**
   * @template Collection
   * @param {(path: string, shards: CollectionSettings['shards']) => Collection} make Throws the error of a wrong setting.
   * @returns {Collection | null} Null if a setting is wrong: its field shows the error.
   */
  describe(make) {
    const { path, shards } = this.settings;
    return attempt(() => make(path, shards), [
      // With shards that cannot be wrong, only the path can be.
      [this.#path, () => make(path, 1)],
      [this.#shards, () => make(path, shards)],
    ]);
  }

  focusRefused() {
    focusRefused(this.#path, this.#shards);
  }
}

/**
 * @param {string} list `x, y, z`; or a number n for the values 0 … n-1.
 * @returns {number | string[]}
 */
function parseShards(list) {
  if (/^\p{Nd}+$/u.test(list)) return Number(readNumber(list));
  return list.split(/[,،、]/).map((value) => value.trim()).filter((value) => value !== '');
}
