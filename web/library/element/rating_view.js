// The shadow tree of <shard-rating>: the group of stars, and the summary.

import { formatOf } from './format.js';
import { allTexts } from './more_texts.js';
import { icon, make, say } from './view.js';

/**
 * @typedef {object} ShownRating
 * @property {HTMLElement} element
 * @property {number[]} values The user may choose one of these; empty: there is no group.
 * @property {number | null | undefined} rating The user's.
 * @property {number | null | undefined} average
 * @property {number | undefined} count
 * @property {string} mark
 * @property {string} markText
 * @property {string} label
 * @property {boolean} isDisabled
 */

const STAR = 'M12 3 14.7 8.9 21 9.6 16.3 13.9 17.6 20.2 12 17 6.4 20.2 7.7 13.9 3 9.6 9.3 8.9Z';

export const RATING_CSS = `
:host(:not([hidden])) { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0.3em; line-height: 1.2; vertical-align: middle; }

fieldset { display: flex; flex-wrap: wrap; margin: 0; border: 0; padding: 0; min-inline-size: 0; }
fieldset[hidden] { display: none; }
label { position: relative; display: grid; place-items: center; box-sizing: border-box; min-inline-size: 1.75em; block-size: 1.75em; padding: 0.125em; }
input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0; cursor: pointer; }
input:disabled { cursor: not-allowed; }

[part~='choice'] { display: grid; place-items: center; inline-size: 100%; block-size: 100%; border-radius: 0.25em; }
[part~='choice'] svg { inline-size: 1.3em; block-size: 1.3em; }
[part~='chosen'] svg { fill: var(--shard-rating-accent, #d97706); stroke: var(--shard-rating-accent, #d97706); }
[part~='number'] { border: 1px solid color-mix(in srgb, currentcolor 55%, transparent); box-sizing: border-box; min-inline-size: 1.5em; padding-inline: 0.25em; }
[part~='number'][part~='chosen'] { background: var(--shard-rating-accent, #d97706); border-color: var(--shard-rating-accent, #d97706); color: #000; }
input:hover:enabled + [part~='choice']:not([part~='number'][part~='chosen']) { background-color: color-mix(in srgb, currentcolor 12%, transparent); }
input:focus-visible + [part~='choice'] { outline: 2px solid; outline-offset: 1px; }
input:disabled + [part~='choice'] { opacity: 0.5; }

[part='summary'] { display: inline-flex; align-items: center; gap: 0.3em; white-space: nowrap; }
[part='icon'][hidden] { display: none; }
[part='icon'] svg { fill: var(--shard-rating-accent, #d97706); stroke: var(--shard-rating-accent, #d97706); }
[part='count'] { unicode-bidi: isolate; }

@media (forced-colors: active) {
  [part~='chosen'] svg, [part='icon'] svg { fill: currentcolor; stroke: currentcolor; }
  [part~='number'][part~='chosen'] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  input:focus-visible + [part~='choice'] { outline-color: Highlight; }
}
`;

export class RatingView {
  #press;
  #group = /** @type {HTMLFieldSetElement} */ (make('fieldset', { part: 'group', role: 'radiogroup', 'aria-describedby': 'help' }));
  #help = make('span', { id: 'help', hidden: '' });
  #icon = make('span', { part: 'icon', 'aria-hidden': 'true' }, make('slot', { name: 'icon' }, icon(STAR)));
  #slot = make('slot', {}, make('span', { 'aria-hidden': 'true' }, '–'));
  #averageName = make('span', { class: 'unseen' });
  #value = make('span', { part: 'value' });
  #countName = make('span', { class: 'unseen' });
  #count = make('span', { part: 'count' });
  #state = make('span', { class: 'unseen' });
  #summary = make('span', { part: 'summary' }, this.#icon, this.#slot);
  #message = make('span', { part: 'message', role: 'status' });
  /** @type {{value: number, input: HTMLInputElement, choice: HTMLElement}[]} */
  #choices = [];
  #values = '';
  /** @type {number | null | undefined} */
  #rating;

  /**
   * @param {ShadowRoot} root
   * @param {(rating: number | null) => void} press null: the user takes the rating back.
   */
  constructor(root, press) {
    this.#press = press;
    root.append(this.#group, this.#summary, this.#state, this.#help, this.#message);
    this.#group.addEventListener('keydown', (event) => {
      if (event.key !== 'Delete' && event.key !== 'Backspace') return;
      event.preventDefault();
      this.#takeBack();
    });
    this.#group.addEventListener('focusout', () => { this.message = ''; });
  }

  /** The reason why a press had no effect; empty if there is none. @param {string} text */
  set message(text) {
    say(this.#message, text);
  }

  /** @param {ShownRating} shown */
  show(shown) {
    const { element, values, rating, label, isDisabled } = shown;
    const texts = allTexts();
    this.#rating = rating;
    this.#make(values);
    this.#group.hidden = values.length === 0;
    this.#group.disabled = isDisabled;
    this.#group.ariaLabel = label || texts.rating;
    this.#help.textContent = typeof rating === 'number' ? texts.takeBack : '';
    const hasStars = values[0] === 1;
    for (const { value, input, choice } of this.#choices) {
      const isChosen = value === rating;
      const text = formatOf(element, null).format(value);
      input.checked = isChosen;
      input.ariaLabel = text;
      if (!hasStars) choice.textContent = text;
      const isFilled = hasStars ? typeof rating === 'number' && value <= rating : isChosen;
      choice.setAttribute('part', `choice ${hasStars ? 'star' : 'number'}${isFilled ? ' chosen' : ''}`);
    }
    this.#showSummary(shown, texts);
  }

  /**
   * @param {ShownRating} shown
   * @param {import('./more_texts.js').AllTexts} texts
   */
  #showSummary({ element, values, average, count, mark, markText }, texts) {
    // The stars of the group say the same.
    this.#icon.hidden = values.length > 0;
    if (count === undefined) {
      if (!this.#slot.parentNode) this.#summary.replaceChildren(this.#icon, this.#slot);
    } else {
      const { format } = formatOf(element, null);
      this.#averageName.textContent = `${texts.average}: `;
      this.#value.textContent = typeof average === 'number' ? format(Math.round(10 * average) / 10) : '–';
      this.#countName.textContent = `${texts.ratings}: `;
      this.#count.textContent = `(${format(count)})`;
      if (this.#slot.parentNode) this.#summary.replaceChildren(this.#icon, this.#averageName, this.#value, this.#countName, this.#count);
    }
    this.#value.dataset.mark = mark;
    this.#value.title = markText;
    this.#state.textContent = markText && ` ${markText}`;
  }

  /** Makes the group for other values. @param {number[]} values */
  #make(values) {
    if (this.#values === values.join()) return;
    this.#values = values.join();
    this.#choices = values.map((value) => {
      const choice = make('span', { 'aria-hidden': 'true' }, ...(values[0] === 1 ? [icon(STAR)] : []));
      const input = /** @type {HTMLInputElement} */ (make('input', { type: 'radio', name: 'rating', value: `${value}` }));
      input.addEventListener('click', () => {
        // A second press. The first one is a change.
        if (value === this.#rating) this.#takeBack();
      });
      input.addEventListener('change', () => {
        // Browsers report the end of a second press as a change, too.
        if (input.checked) this.#press(value);
      });
      return { value, input, choice };
    });
    this.#group.replaceChildren(...this.#choices.map(({ input, choice }) => make('label', {}, input, choice)));
  }

  #takeBack() {
    if (typeof this.#rating === 'number') this.#press(null);
  }
}
