import { CountedSet } from '../../library/counted_set.js';
import { ShardlineError } from '../../library/errors.js';
import { openWorkbench } from '../../library/workbench.js';
import { h } from '../dom.js';
import { counterOptions, DEMO_PROJECT, htmlCode, isSet, pageCode, PATH, shardsOfCode } from '../model/like_app.js';
import { Session } from '../session.js';
import { formatNumber, text } from '../text.js';
import { CodeBlocks } from './code_block.js';
import { ConnectPanel } from './connect_panel.js';
import { button } from './controls.js';
import { Notice } from './notice.js';

/**
 * @typedef {import('../../library/counter.js').Counter} Counter
 * @typedef {import('../../library/element.js').ShardCounter} ShardCounter
 * @typedef {import('../../library/watch.js').LiveTotal} LiveTotal
 */

/** The user id of a reader who has not signed in. */
const READER = 'reader';
/** The meaning of a refusal, for each access. @type {{[access: string]: import('../text.js').TextId}} */
const DENIED = { public: 'like.denied.public' };

/**
 * The like button of the code, with the options that the code has, on the embedded Firestore, on Google's emulator, or on the reader's
 * own project.
 */
export class LikeTool {
  #host;
  #knobs;
  #session = new Session(PATH);
  #button = h('button', { type: 'button', class: 'like', click: () => this.#onPress() },
    h('span', { 'aria-hidden': 'true' }, '♥'), h('span', { class: 'visually-hidden' }, text('like.press')));
  #value = h('output', { class: 'like-value', 'aria-live': 'polite' });
  #state = h('p', { class: 'hint' });
  /** The element's place, if each user likes once. */
  #place = h('div');
  #row = h('div', { class: 'like-row' }, this.#button, this.#value);
  #create = button('like.create', { onPress: () => this.#onCreate() });
  #notice = new Notice();
  #code = new CodeBlocks();
  /** @type {Counter | CountedSet | null} */
  #counter = null;
  /** Whether the reader's own like has been counted. */
  #isOwn = false;
  /** @type {Pick<LiveTotal, 'value' | 'pending' | 'state'> | null} */
  #shown = null;
  /** Who likes. */
  #user = READER;
  /** The choice to which everything shown belongs. */
  #choice = 0;
  #stop = () => {};
  element;

  /** @param {import('../chapters/chapter.js').ToolHost} host */
  constructor(host) {
    this.#host = host;
    this.#knobs = host.knobs;
    const connect = new ConnectPanel(this.#session, DEMO_PROJECT);
    this.element = h('div', { class: 'tool two-columns like-tool' }, connect.element,
      h('div', { class: 'like-box' }, this.#row, this.#place, this.#state,
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
    this.#place.replaceChildren();
    this.#isOwn = false;
    this.#shown = null;
    this.#value.textContent = '';
    this.#state.textContent = '';
    this.#notice.clear();
    for (const each of [this.#button, this.#create]) each.disabled = true;
  }

  /** @param {import('../../library/index.js').Database} database */
  async #count(database) {
    this.#leave();
    const choice = this.#choice;
    const { access, where, writes } = this.#knobs;
    const isElement = access === 'one-like';
    // Only who comes here needs the element.
    const loaded = await Promise.all([openWorkbench(), isElement ? defineElement() : null]).catch((error) => {
      if (choice === this.#choice) this.#notice.fail(error, null);
    });
    if (!loaded || choice !== this.#choice) return;
    const [{ shardsFor }] = loaded;
    const shards = shardsOfCode(shardsFor({ writesPerSecond: writes }).counter.shards);
    this.#user = userOf(this.#session.settings?.idToken) ?? READER;
    this.#row.hidden = isElement;
    this.#code.show({ html: htmlCode(access, shards), page: pageCode(access, shards, where) });
    this.#counter = isSet(access) ? database.countedSet(PATH, counterOptions(access, shards)) : database.counter(PATH, counterOptions(access, shards));
    for (const each of [this.#button, this.#create]) each.disabled = false;
    if (isElement) this.#place.append(this.#makeElement(this.#counter));
    else this.#stop = this.#counter.watch((total) => this.#show(total));
  }

  /**
   * @param {Counter | CountedSet} counter By itself, not by its path: the reader may have seen one with another number of shards before.
   */
  #makeElement(counter) {
    const element = h('shard-counter', { class: 'like-element', type: 'like', user: this.#user });
    element.counter = counter;
    element.addEventListener('shardline-change', ({ detail }) => this.#show(detail));
    element.addEventListener('shardline-like', ({ detail: { liked } }) => this.#onLike(element, liked));
    element.addEventListener('shardline-error', (event) => {
      event.preventDefault();
      this.#fail(event.detail);
    });
    return element;
  }

  /** @param {Pick<LiveTotal, 'value' | 'pending' | 'state'>} total */
  #show({ value, pending, state }) {
    if (this.#counter === null) return;
    this.#shown = { value, pending, state };
    this.#value.textContent = value === undefined ? '' : formatNumber(value);
    this.#state.textContent = text(`like.state.${state}`, { pending: formatNumber(pending) });
    this.#host.changed({ value: Number(value ?? 0), pending: Number(pending), state, isOwn: this.#isOwn });
  }

  /**
   * @param {ShardCounter} element
   * @param {boolean} liked
   */
  #onLike(element, liked) {
    this.#notice.clear();
    this.#isOwn = liked;
    this.#show(element);
  }

  /** @param {unknown} error */
  #fail(error) {
    // The refusal comes from the reader's own rules of the step before, which work as intended.
    if (error instanceof ShardlineError && error.code === 'permission-denied') {
      this.#notice.show('warning', text(DENIED[this.#knobs.access] ?? 'like.denied'));
    } else this.#notice.fail(error, this.#session.settings);
  }

  async #onPress() {
    this.#notice.clear();
    const choice = this.#choice;
    const counter = this.#counter;
    if (!counter) return;
    const isVote = counter instanceof CountedSet;
    try {
      await (isVote ? counter.add(this.#user) : counter.increment());
      if (choice !== this.#choice || !isVote) return;
      // This user has only one like, and the page may have reported it before.
      this.#isOwn = true;
      if (this.#shown) this.#show(this.#shown);
    } catch (error) {
      if (choice === this.#choice) this.#fail(error);
    }
  }

  async #onCreate() {
    this.#notice.clear();
    const choice = this.#choice;
    try {
      const made = await this.#counter?.create();
      if (made && choice === this.#choice) this.#notice.show('good', text(made.created ? 'like.created' : 'like.kept', { count: made.shards }));
    } catch (error) {
      if (choice === this.#choice) this.#fail(error);
    }
  }
}

/** The element speaks the page's language. The page itself reports errors. */
async function defineElement() {
  const { useTexts } = await import('../../library/element.js');
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
