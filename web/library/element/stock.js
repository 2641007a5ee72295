// <shard-stock>: the units of a stock that are left.

import { TotalStore } from '../total_store.js';
import { optionOf } from './attributes.js';
import { formatOf } from './format.js';
import { LiveElement, liveOf } from './live_element.js';
import { allTexts } from './more_texts.js';
import { callOf } from './needs.js';
import { noteDatabase } from './settings.js';
import { shared } from './shared.js';
import { make } from './view.js';

/** One watch for all elements of a stock. @type {WeakMap<object, Map<string, TotalStore<import('../watch.js').LiveTotal>>>} */
const stores = new WeakMap();

/**
 * `<shard-stock path="events/e1" shards="20">500</shard-stock>`: the units that are left, live. It has no button: your own code takes units. The element
 * shows its content until the number is known.
 *
 * Events bubble. `shardline-change`: the shown state has changed; `detail` has `left`, `pending` and `state`. `shardline-error`: `detail` is the
 * ShardlineError.
 *
 * Slots: the default one, `sold-out`, which shows in place of 0. CSS parts: `value`, `sold-out`. States, as in `shard-stock:state(sold-out)`: `loading`,
 * `live`, `offline`, `error`, `sold-out`.
 */
export class ShardStock extends LiveElement {
  static observedAttributes = ['path', 'shards', 'lang'];

  #value = make('span', { part: 'value' });
  #slot = make('slot', {}, make('span', { 'aria-hidden': 'true' }, '–'));
  #soldOutText = make('span', {});
  #soldOut = make('slot', { name: 'sold-out' }, this.#soldOutText);
  #state = make('span', { class: 'unseen' });

  constructor() {
    super({
      properties: ['path', 'shards'],
      wants: () => [null, null, this.shards],
      open: (database) => this.#open(database),
      show: ({ mark, markText }) => this.#show(mark, markText),
      stateFor: () => this.left === 0 && 'sold-out',
    });
    this.#value.append(this.#slot);
    this.shadowRoot?.append(this.#value, this.#state);
  }

  /** The shown number of units; undefined until it is known. @returns {number | undefined} */
  get left() {
    const { value } = liveOf(this) ?? {};
    return value === undefined ? undefined : Number(value);
  }

  /** @param {any} database @returns {import('./live_element.js').Followed} */
  #open(database) {
    const { path } = this;
    const shards = optionOf(this, 'shards');
    /** @type {import('../stock.js').Stock} */
    const stock = callOf(this, database, 'stock', 'shardline, shardline/counters or their entries for Firebase', path, shards === undefined ? {} : { shards });
    const first = /** @type {import('../watch.js').LiveTotal} */ ({ pending: 0, state: 'loading' });
    const { ended } = database.counter(path);
    const store = shared(stores, database, stock.path, () => new TotalStore((take) => stock.watch(take), first, ended));
    if (!this.db) noteDatabase(ended);
    return { subscribe: (listener) => store.subscribe(listener) };
  }

  /**
   * @param {string} mark
   * @param {string} markText
   */
  #show(mark, markText) {
    const { left } = this;
    this.#soldOutText.textContent = allTexts().soldOut;
    const shown = left === undefined ? this.#slot : left === 0 ? this.#soldOut : formatOf(this, null).format(left);
    if (typeof shown === 'string' || shown.parentNode !== this.#value) this.#value.replaceChildren(shown);
    this.#value.setAttribute('part', left === 0 ? 'value sold-out' : 'value');
    this.#value.dataset.mark = mark;
    this.#value.title = markText;
    this.#state.textContent = markText && ` ${markText}`;
    return { left };
  }
}
