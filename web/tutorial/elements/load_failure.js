import { h } from '../dom.js';
import { text } from '../text.js';
import { button } from './controls.js';

/** In place of a view whose files do not come: the network is away, or the site has newer files by now. */
export class LoadFailure {
  element = h('article', { class: 'chapter' },
    h('header', { class: 'chapter-header' }, h('h1', { tabindex: -1 }, text('load-failure.title'))),
    h('p', {}, text('load-failure.text')),
    h('div', { class: 'actions' }, button('load-failure.reload', { kind: 'primary', onPress: () => location.reload() })));

  close() {}
}
