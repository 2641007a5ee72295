import { formatAddress } from '../address.js';
import { CHAPTERS } from '../chapters/index.js';
import { h } from '../dom.js';
import { progress } from '../progress.js';
import { formatNumber, paragraphs, richText, text } from '../text.js';
import { nextFrame, nextIdle } from '../turns.js';
import { button } from './controls.js';

/** @typedef {import('../text.js').TextId} TextId */

/** Where the reference of the library is, if it has been built beside the page. */
const REFERENCE = import.meta.env.VITE_REFERENCE;

/** The table of contents, the page's first view. */
export class Contents {
  element;

  constructor() {
    const forget = button('contents.forget', { kind: 'quiet', onPress: () => {
      progress.forget();
      // The button goes.
      heading.focus();
    } });
    const heading = h('h1', { tabindex: -1 }, text('page.heading'));
    const list = h('ol', { class: 'contents-list' });
    const show = () => {
      list.replaceChildren(...CHAPTERS.map(({ id }, index) => h('li', {}, card({
        href: formatAddress({ chapter: id }),
        mark: formatNumber(index + 1),
        title: /** @type {TextId} */ (`chapter.${id}.title`),
        about: /** @type {TextId} */ (`chapter.${id}.about`),
        picture: id,
        isDone: progress.hasFinished(id),
      }))), h('li', {}, card({
        href: formatAddress({ chapter: 'playground' }), mark: '+', title: 'playground.title', about: 'playground.about', picture: 'playground', isDone: false,
      })));
      forget.hidden = progress.isEmpty;
      this.#pictures?.observe(list);
    };
    this.element = h('div', { class: 'contents' },
      heading,
      h('figure', { class: 'race-figure' }, this.#racePlace, h('figcaption', {}, text('contents.race'))),
      h('p', {}, h('a', { class: 'button button-primary', href: formatAddress({ chapter: CHAPTERS[0]?.id ?? 'playground' }) },
        text('contents.begin'))),
      h('div', { class: 'prose' }, ...paragraphs('contents.intro')));
    const { signal } = this.#closed;
    // The cards are most of this view. In a frame of their own they do not delay what is above them.
    nextFrame().then(() => {
      if (signal.aborted) return;
      show();
      progress.addEventListener('change', show, { signal });
      this.element.append(list, h('div', { class: 'actions' }, REFERENCE ? h('a', { href: REFERENCE }, text('contents.reference')) : null, forget));
    });
    this.#openPictures(list);
    this.#openRace();
  }

  #closed = new AbortController();
  /** As high as the race that comes. */
  #racePlace = h('div', { class: 'race-place' });
  /** @type {{close: () => void} | null} */
  #race = null;
  /** @type {import('./card_pictures.js').CardPictures | null} */
  #pictures = null;

  close() {
    this.#closed.abort();
    this.#race?.close();
    this.#pictures?.close();
  }

  /**
   * After the first view, which has the places of the pictures.
   * @param {HTMLElement} list
   */
  async #openPictures(list) {
    const { signal } = this.#closed;
    await nextIdle();
    if (signal.aborted) return;
    const loaded = await import('./card_pictures.js').catch(() => null);
    if (signal.aborted || !loaded) return;
    this.#pictures = new loaded.CardPictures();
    this.#pictures.observe(list);
  }

  /** After the first view: until then, the reader has the sentence below. */
  async #openRace() {
    const { signal } = this.#closed;
    await nextIdle();
    if (signal.aborted) return;
    try {
      const { recordRace } = await import('./race.js');
      const race = await recordRace(signal);
      if (signal.aborted) return race.close();
      this.#race = race;
      this.#racePlace.replaceChildren(race.element);
    } catch {
      // It does not come; nothing else needs it.
      this.#racePlace.remove();
    }
  }
}

/** @param {{href: string, mark: string, title: TextId, about: TextId, picture: string, isDone: boolean}} chapter */
function card({ href, mark, title, about, picture, isDone }) {
  return h('a', { class: 'card', href },
    h('span', { class: 'card-mark', 'aria-hidden': 'true' }, mark),
    h('span', { class: 'card-text' },
      h('strong', {}, text(title)), isDone ? h('span', { class: 'done' }, ` ${text('contents.done')}`) : null,
      h('span', { class: 'card-about' }, richText(about))),
    h('span', { class: 'card-picture', 'data-picture': picture, 'aria-hidden': 'true' }));
}
