import { useTexts } from '../../library/element.js';
import { openWorkbench } from '../../library/workbench.js';
import { h } from '../dom.js';
import { counterOptions, htmlCode, pageCode, PATH } from '../model/like_app.js';
import { Session } from '../session.js';
import { formatNumber, text } from '../text.js';
import { CodeBlocks } from './code_block.js';
import { ConnectPanel } from './connect_panel.js';
import { button } from './controls.js';
import { Notice } from './notice.js';

/**
 * @typedef {import('../../library/counter.js').Counter} Counter
 * @typedef {import('../../library/watch.js').LiveTotal} LiveTotal
 */

/** Who likes where nobody signs in. */
const READER = 'reader';

/**
 * The like button of the code, with the options that the code has, on the Firestore in this page, on Google's emulator, or on the reader's
 * own project.
 */
export class LikeTool {
  #host;
  #knobs;
  #session = new Session();
  #button = h('button', { type: 'button', class: 'like', click: () => this.#onPress() },
    h('span', { 'aria-hidden': 'true' }, '♥'), h('span', { class: 'visually-hidden' }, text('like.press')));
  #value = h('output', { class: 'like-value', 'aria-live': 'polite' });
  #state = h('p', { class: 'hint' });
  /** Where each user likes once. */
  #element = h('shard-counter', { class: 'like-element', path: PATH, type: 'like' });
  #row = h('div', { class: 'like-row' }, this.#button, this.#value);
  #create = button('like.create', { onPress: () => this.#onCreate() });
  #notice = new Notice();
  #code = new CodeBlocks();
  /** @type {Counter | null} */
  #counter = null;
  /** Whether the reader's own like has been counted. */
  #isOwn = false;
  /** What is shown belongs to this choice. */
  #choice = 0;
  #stop = () => {};
  element;

  /** @param {import('../chapters/chapter.js').ToolHost} host */
  constructor(host) {
    this.#host = host;
    this.#knobs = host.knobs;
    sayWords();
    const connect = new ConnectPanel(this.#session);
    this.#element.addEventListener('shardline-change', (event) => this.#show(event.detail));
    this.#element.addEventListener('shardline-like', (event) => this.#onLike(event.detail.liked));
    this.#element.addEventListener('shardline-error', (event) => {
      event.preventDefault();
      this.#notice.fail(event.detail, this.#session.settings);
    });
    this.element = h('div', { class: 'tool two-columns like-tool' }, connect.element,
      h('div', { class: 'like-box' }, this.#row, this.#element, this.#state,
        h('div', { class: 'actions' }, this.#create), this.#notice.element),
      this.#code.element);
    this.#session.addEventListener('change', () => this.#onSession());
    this.#onSession();
    connect.connect(import.meta.env.VITE_FIRESTORE_EMULATOR);
  }

  /** @param {import('../chapters/chapter.js').Knobs} knobs */
  turn(knobs) {
    this.#knobs = knobs;
    this.#leave();
    this.#onSession();
  }

  close() {
    this.#leave();
    this.#session.close();
  }

  #onSession() {
    const { database } = this.#session;
    if (database === null) this.#leave();
    else if (this.#counter === null) void this.#count(database);
  }

  /** Nothing that was shown is left: it was of another counter, or elsewhere. */
  #leave() {
    this.#choice += 1;
    this.#stop();
    this.#stop = () => {};
    this.#counter = null;
    this.#element.db = null;
    this.#isOwn = false;
    this.#value.textContent = '';
    this.#state.textContent = '';
    this.#notice.clear();
    for (const each of [this.#button, this.#create, this.#element]) each.disabled = true;
  }

  /** @param {import('../../library/index.js').Database} database */
  async #count(database) {
    this.#leave();
    const choice = this.#choice;
    const { access, writes } = this.#knobs;
    const { shardsFor } = await openWorkbench();
    if (choice !== this.#choice) return;
    const { counter: { shards } } = shardsFor({ writesPerSecond: writes });
    const user = userOf(this.#session.settings?.idToken) ?? READER;
    const isElement = access === 'one-like';
    this.#row.hidden = isElement;
    this.#element.hidden = !isElement;
    this.#code.show({ html: htmlCode(access, shards), page: pageCode(access, shards) });
    this.#counter = database.counter(PATH, counterOptions(access, shards, user));
    for (const each of [this.#button, this.#create, this.#element]) each.disabled = false;
    if (isElement) {
      this.#element.shards = shards;
      this.#element.user = user;
      this.#element.db = database;
    } else {
      this.#stop = this.#counter.watch((total) => this.#show(total));
    }
  }

  /** @param {Pick<LiveTotal, 'value' | 'pending' | 'state'>} total */
  #show({ value, pending, state }) {
    if (this.#counter === null) return;
    this.#value.textContent = value === undefined ? '' : formatNumber(value);
    this.#state.textContent = text(`like.state.${state}`, { pending: formatNumber(pending) });
    this.#host.changed({ value: Number(value ?? 0), pending: Number(pending), state, isOwn: this.#isOwn });
  }

  /** @param {boolean} liked */
  #onLike(liked) {
    this.#notice.clear();
    this.#isOwn = liked;
    this.#show(this.#element);
  }

  async #onPress() {
    this.#notice.clear();
    const choice = this.#choice;
    try {
      await this.#counter?.increment();
    } catch (error) {
      if (choice === this.#choice) this.#notice.fail(error, this.#session.settings);
    }
  }

  async #onCreate() {
    this.#notice.clear();
    const choice = this.#choice;
    try {
      const made = await this.#counter?.create();
      if (made && choice === this.#choice) this.#notice.show('good', text(made.created ? 'like.created' : 'like.kept', { count: made.shards }));
    } catch (error) {
      if (choice === this.#choice) this.#notice.fail(error, this.#session.settings);
    }
  }
}

/** The element speaks the page's language. What went wrong the page says itself. */
function sayWords() {
  useTexts({
    like: text('like.press'),
    pending: text('like.element.pending'),
    offline: text('like.element.offline'),
    error: text('like.element.error'),
  });
}

/**
 * @param {string | undefined} idToken
 * @returns {string | null} Whom it names.
 */
function userOf(idToken) {
  try {
    const [, payload = ''] = (idToken ?? '').split('.');
    const { sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof sub === 'string' && sub !== '' ? sub : null;
  } catch {
    return null;
  }
}
