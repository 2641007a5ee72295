import { h } from '../dom.js';
import { Session } from '../session.js';
import { formatNumber, text } from '../text.js';
import { ConnectPanel } from './connect_panel.js';
import { button } from './controls.js';
import { Notice } from './notice.js';

/**
 * @typedef {import('../../library/counter.js').Counter} Counter
 * @typedef {import('../../library/watch.js').LiveTotal} LiveTotal
 */

const SHARDS = 10;

/** The like button of the code, on the Firestore in this page, on Google's emulator, or on the reader's own project. */
export class LikeTool {
  #host;
  #session = new Session();
  #button = h('button', { type: 'button', class: 'like', click: () => this.#onPress() },
    h('span', { 'aria-hidden': 'true' }, '♥'), h('span', { class: 'visually-hidden' }, text('like.press')));
  #value = h('output', { class: 'like-value', 'aria-live': 'polite' });
  #state = h('p', { class: 'hint' });
  #create = button('like.create', { onPress: () => this.#onCreate() });
  #notice = new Notice();
  /** @type {Counter | null} */
  #counter = null;
  #stop = () => {};
  element;

  /** @param {import('../chapters/chapter.js').ToolHost} host */
  constructor(host) {
    this.#host = host;
    const connect = new ConnectPanel(this.#session);
    this.element = h('div', { class: 'tool two-columns like-tool' }, connect.element,
      h('div', { class: 'like-box' },
        h('div', { class: 'like-row' }, this.#button, this.#value), this.#state,
        h('div', { class: 'actions' }, this.#create), this.#notice.element));
    this.#session.addEventListener('change', () => this.#onSession());
    this.#onSession();
    connect.connect(import.meta.env.VITE_FIRESTORE_EMULATOR);
  }

  close() {
    this.#stop();
    this.#session.close();
  }

  #onSession() {
    const { database } = this.#session;
    for (const each of [this.#button, this.#create]) each.disabled = database === null;
    if (database === null) {
      this.#stop();
      this.#counter = null;
      this.#value.textContent = '';
      this.#state.textContent = '';
    } else if (this.#counter === null) {
      this.#counter = database.counter('posts/p1', { shards: SHARDS });
      this.#stop = this.#counter.watch((total) => this.#show(total));
    }
  }

  /** @param {LiveTotal} total */
  #show({ value, pending, state }) {
    this.#value.textContent = value === undefined ? '' : formatNumber(value);
    this.#state.textContent = text(`like.state.${state}`, { pending: formatNumber(pending) });
    this.#host.changed({ value: Number(value ?? 0), pending: Number(pending), state });
  }

  async #onPress() {
    this.#notice.clear();
    try {
      await this.#counter?.increment();
    } catch (error) {
      this.#notice.fail(error, this.#session.settings);
    }
  }

  async #onCreate() {
    this.#notice.clear();
    try {
      const made = await this.#counter?.create();
      if (made) this.#notice.show('good', text(made.created ? 'like.created' : 'like.kept', { count: made.shards }));
    } catch (error) {
      this.#notice.fail(error, this.#session.settings);
    }
  }
}
