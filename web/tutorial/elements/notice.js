import { h } from '../dom.js';
import { explain, isCancelled } from '../explain.js';
import { text } from '../text.js';

/** @typedef {'plain' | 'info' | 'good' | 'warning'} Kind */

/** The outcome of an action, beside its control. Screen readers read it out. */
export class Notice {
  element = h('div', { role: 'status', class: 'notice-region' });

  clear() {
    this.element.replaceChildren();
  }

  /**
   * @param {Kind} kind
   * @param {...(string | Node)} content
   */
  show(kind, ...content) {
    this.element.replaceChildren(h('div', { class: 'notice', 'data-kind': kind }, h('p', {}, ...content)));
  }

  /**
   * @param {unknown} error
   * @param {import('../session.js').Settings | null} settings
   */
  fail(error, settings) {
    if (isCancelled(error)) return;
    const { title, detail, advice, original } = explain(error, settings);
    this.element.replaceChildren(h('div', { class: 'notice', 'data-kind': 'error' },
      h('p', { class: 'notice-title' }, title),
      h('p', {}, detail),
      advice.length > 0 ? h('p', {}, ...advice) : null,
      original ? h('details', {}, h('summary', {}, text('error.original')), h('p', { lang: 'en', dir: 'ltr' }, original)) : null));
  }

  /**
   * Does work and shows its outcome. The notice shows an error, unless the page no longer shows the work's subject.
   * @param {() => Promise<() => void>} work Resolves to a function that shows the outcome.
   * @param {{isCurrent: () => boolean, settings: () => import('../session.js').Settings | null}} about
   */
  async follow(work, { isCurrent, settings }) {
    this.clear();
    let show;
    try {
      show = await work();
    } catch (error) {
      show = () => this.fail(error, settings());
    }
    if (isCurrent()) show();
  }
}
