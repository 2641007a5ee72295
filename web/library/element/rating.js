// <shard-rating>: the average and the number of ratings, and a group of stars with which a user rates.

import { numberOf, optionOf, reflect } from './attributes.js';
import { dispatch } from './life.js';
import { LiveElement, liveOf, press, wishOf } from './live_element.js';
import { allTexts } from './more_texts.js';
import { callOf } from './needs.js';
import { RATING_CSS, RatingView } from './rating_view.js';
import { noteDatabase } from './settings.js';
import { shared } from './shared.js';
import { Wish } from './wish.js';

/**
 * @typedef {import('../choices.js').Ratings} Ratings
 * @typedef {import('../choices.js').RatingSummary} RatingSummary
 */

/** The database refuses ratings with more values. */
const MOST_VALUES = 20;
const PROPERTIES = ['path', 'from', 'to', 'user', 'shards', 'disabled'];

/** The ratings of users: empty for a user who has not rated. @type {WeakMap<Ratings, Map<string, Wish<Ratings, string>>>} */
const wishes = new WeakMap();

/**
 * `<shard-rating path="restaurants/r1" from="1" to="5" user="ann">4.2 (1,234)</shard-rating>`: the average and the number of ratings, live. With a `user`
 * it has a group of stars: the user chooses one, with the mouse, a finger or the arrow keys. A second press, or Delete, takes the rating back. A rating
 * shows at once and waits for the network; a rating that the server refuses is taken back. The element shows its content until the summary is known.
 * If `from` is not 1, the group has numbers in place of stars.
 *
 * Events bubble. `shardline-change`: the shown state has changed; `detail` has `average`, `count`, `rating`, `pending` and `state`. `shardline-rate`: a
 * rating is on the server, or is taken back there; `detail.rating`. `shardline-error`: `detail` is the ShardlineError; after preventDefault() the
 * element does not show the error of a rating to the user.
 *
 * Slots: the default one, `icon` (before the average, if there is no group). CSS parts: `group`, `choice`, `star`, `number`, `chosen`, `summary`, `icon`,
 * `value`, `count`, `message`. States, as in `shard-rating:state(rated)`: `loading`, `live`, `offline`, `error`, `pending`, `rated`. CSS property:
 * `--shard-rating-accent`.
 */
export class ShardRating extends LiveElement {
  static observedAttributes = ['path', 'from', 'to', 'user', 'shards', 'lang'];

  #view;

  constructor() {
    super({
      properties: PROPERTIES,
      css: RATING_CSS,
      wants: () => [this.user, null, this.from, this.to, this.shards],
      open: (database) => this.#open(database),
      show: ({ mark, markText, label, isDisabled }) => {
        const { average, count, rating } = this;
        this.#view.show({ element: this, values: this.#values(), rating, average, count, mark, markText, label, isDisabled });
        return { average, count, rating };
      },
      stateFor: ({ wished }) => wished && 'rated',
      say: (message) => { this.#view.message = message; },
      signIn: () => allTexts().signInToRate,
      tell: (wished) => dispatch(this, 'shardline-rate', { rating: ratingOf(wished) }),
    });
    this.#view = new RatingView(/** @type {ShadowRoot} */ (this.shadowRoot), (rating) => press(this, () => (rating === null ? '' : `${rating}`)));
  }

  /** The least value. @returns {number | null} */
  get from() {
    return numberOf(this, 'from');
  }

  set from(from) {
    reflect(this, 'from', from);
  }

  /** The largest value. @returns {number | null} */
  get to() {
    return numberOf(this, 'to');
  }

  set to(to) {
    reflect(this, 'to', to);
  }

  /** Who rates: the user's id. Without it the element has no group. */
  get user() {
    return this.getAttribute('user');
  }

  set user(user) {
    reflect(this, 'user', user);
  }

  get disabled() {
    return this.hasAttribute('disabled');
  }

  set disabled(isDisabled) {
    this.toggleAttribute('disabled', Boolean(isDisabled));
  }

  /** The shown average: null without a rating, undefined until it is known. @returns {number | null | undefined} */
  get average() {
    return this.#summary?.average;
  }

  /** The shown number of ratings; undefined until it is known. @returns {number | undefined} */
  get count() {
    return this.#summary?.count;
  }

  /** The user's rating: null without one, undefined until it is known. @returns {number | null | undefined} */
  get rating() {
    return ratingOf(wishOf(this));
  }

  /** @returns {RatingSummary | undefined} */
  get #summary() {
    return liveOf(this)?.summary;
  }

  /** The values of the group. */
  #values() {
    const [from, to] = [Number(this.from), Number(this.to)];
    const length = to - from + 1;
    if (!this.user || !Number.isInteger(from) || !(Number.isInteger(length) && length > 1 && length <= MOST_VALUES)) return [];
    return Array.from({ length }, (_, index) => from + index);
  }

  /** @param {any} database @returns {import('./live_element.js').Followed} */
  #open(database) {
    const { path, user } = this;
    const options = { from: optionOf(this, 'from'), to: optionOf(this, 'to'), shards: optionOf(this, 'shards') };
    /** @type {Ratings} */
    const ratings = callOf(this, database, 'ratings', 'shardline, shardline/inline or shardline/firebase', path, options);
    const wish = user ? shared(wishes, ratings, user, () => wishFor(user)) : undefined;
    if (!this.db) noteDatabase(database.counter(path).ended);
    return { subscribe: ratings.subscribe, thing: ratings, wish };
  }
}

/** @param {string} user @returns {Wish<Ratings, string>} */
function wishFor(user) {
  return new Wish(
    async (ratings) => `${(await ratings.get(user)) ?? ''}`,
    (ratings, wanted) => (wanted ? ratings.set(user, Number(wanted)) : ratings.remove(user)),
  );
}

/** @param {string | undefined} wished */
function ratingOf(wished) {
  return wished === undefined ? undefined : wished === '' ? null : Number(wished);
}
