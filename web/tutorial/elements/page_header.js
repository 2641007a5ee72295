import { formatAddress } from '../address.js';
import { CHAPTERS } from '../chapters/index.js';
import { h, setAttribute } from '../dom.js';
import { LANGUAGES } from '../languages/languages.js';
import { progress } from '../progress.js';
import { formatNumber, text } from '../text.js';

/** @typedef {import('../text.js').TextId} TextId */

const icon = new URL('../icon.svg', import.meta.url).href;

/** The header of every view: the present place, the links, and the language. */
export class PageHeader {
  #links = [...CHAPTERS.map(({ id }, index) => ({
    id, mark: formatNumber(index + 1), title: /** @type {TextId} */ (`chapter.${id}.title`),
  })), { id: 'playground', mark: '+', title: /** @type {TextId} */ ('playground.title') }].map(({ id, mark, title }) => {
    const state = h('span', { class: 'visually-hidden' });
    const link = h('a', { href: formatAddress({ chapter: id }), title: text(title) },
      h('span', { class: 'chapter-mark', 'aria-hidden': 'true' }, mark), h('span', { class: 'chapter-title' }, text(title)), state);
    return { id, link, state };
  });
  /** The place of a view's own words. */
  #place = h('div', { class: 'header-place' });
  element = h('header', { class: 'page-header' },
    h('a', { class: 'brand', href: formatAddress({}) }, h('img', { src: icon, alt: '', width: 28, height: 28 }),
      h('span', { translate: 'no' }, text('page.name'))),
    h('nav', { class: 'chapter-links', 'aria-label': text('contents.title') },
      h('ol', {}, ...this.#links.map(({ link }) => h('li', {}, link)))),
    this.#place,
    languageMenu());

  constructor() {
    progress.addEventListener('change', () => this.#showProgress());
    this.#showProgress();
    // The stage of a chapter stays below the header.
    new ResizeObserver(() => document.documentElement.style.setProperty('--header', `${this.element.offsetHeight}px`)).observe(this.element);
  }

  /**
   * @param {string} chapter The one that is open.
   * @param {HTMLElement | null} content
   */
  show(chapter, content) {
    for (const { id, link } of this.#links) setAttribute(link, 'aria-current', id === chapter ? 'page' : null);
    this.#place.replaceChildren(...(content ? [content] : []));
  }

  #showProgress() {
    for (const { id, link, state } of this.#links) {
      const isDone = progress.hasFinished(id);
      link.dataset.done = String(isDone);
      state.textContent = isDone ? ` ${text('contents.done')}` : '';
    }
  }
}

function languageMenu() {
  const { lang } = document.documentElement;
  const current = LANGUAGES.find(({ tag }) => tag === lang);
  const links = LANGUAGES.map(({ tag, name, dir }) => h('li', {}, h('a', {
    href: `?lang=${tag}`, lang: tag, hreflang: tag, dir, translate: 'no', 'aria-current': tag === lang ? 'true' : null,
    click: (event) => {
      event.preventDefault();
      progress.language = tag;
      const { hash } = location;
      location.assign(`?lang=${tag}${hash}`);
    },
  }, name)));
  return h('details', { class: 'languages' },
    h('summary', {}, h('span', { class: 'visually-hidden' }, text('page.language'), ' '), h('span', { translate: 'no' }, current?.name ?? lang)),
    h('ul', {}, ...links));
}
