import { h, uniqueId } from '../dom.js';
import { progress } from '../progress.js';
import { richText, text } from '../text.js';

/**
 * @typedef {import('../text.js').TextId} TextId
 * @typedef {{id: string, reached: (recording: any, atMs: number, knobs: import('../chapters/chapter.js').Knobs) => boolean}} Task
 */

/** The states that the reader brings the system to. The system's own events tick a task, and it stays ticked. */
export class TaskList {
  #key;
  #tasks;
  /** @type {Map<string, {item: HTMLElement, state: HTMLElement, textId: TextId}>} */
  #items = new Map();
  #news = h('p', { class: 'visually-hidden', role: 'status' });
  element;

  /**
   * @param {string} key `chapter/step`
   * @param {Task[]} tasks
   */
  constructor(key, tasks) {
    this.#key = key;
    this.#tasks = tasks;
    const heading = uniqueId('tasks');
    const list = h('ul', { class: 'task-list', 'aria-labelledby': heading });
    for (const { id } of tasks) {
      const textId = /** @type {TextId} */ (`chapter.${key.replace('/', '.')}.task.${id}`);
      const state = h('span', { class: 'visually-hidden' });
      const item = h('li', { class: 'task', 'data-task': id },
        h('span', { class: 'task-mark', 'aria-hidden': 'true' }), h('span', {}, richText(textId), ' ', state));
      this.#items.set(id, { item, state, textId });
      list.append(item);
    }
    this.element = h('section', { class: 'tasks', hidden: tasks.length === 0 },
      h('h3', { id: heading }, text('tasks.title')), list, this.#news);
    for (const { id } of tasks) this.#show(id);
  }

  /** Whether all are reached. */
  get isDone() {
    return this.#tasks.every(({ id }) => progress.hasReached(`${this.#key}/${id}`));
  }

  /**
   * @param {any} recording
   * @param {number} atMs
   * @param {import('../chapters/chapter.js').Knobs} knobs
   */
  check(recording, atMs, knobs) {
    for (const { id, reached } of this.#tasks) {
      if (progress.hasReached(`${this.#key}/${id}`) || !reached(recording, atMs, knobs)) continue;
      progress.reach(`${this.#key}/${id}`);
      this.#show(id);
      const said = this.#items.get(id);
      if (said) this.#news.replaceChildren(text('tasks.reached'), ' ', richText(said.textId));
    }
  }

  /** @param {string} id */
  #show(id) {
    const shown = this.#items.get(id);
    if (!shown) return;
    const reached = progress.hasReached(`${this.#key}/${id}`);
    shown.item.dataset.reached = String(reached);
    shown.state.textContent = text(reached ? 'tasks.state.reached' : 'tasks.state.open');
  }
}
