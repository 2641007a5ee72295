import { h } from '../dom.js';
import { INDEX_SAMPLES } from '../index_samples.js';
import { text } from '../text.js';
import { button, radios } from './controls.js';
import { Field } from './field.js';

/** The largest firestore.indexes.json in bytes: Firestore allows some hundred indexes. */
const MOST_BYTES = 1_000_000;

/**
 * The reader's own file, while the page is open: it goes from step to step, and into no address.
 * @type {string | null}
 */
let own = null;

/** A firestore.indexes.json: a sample, or one that is dropped, chosen or typed. */
export class IndexFileField {
  #onChange;
  #choice = radios('index-file', 'indexes.file.choice', [...Object.keys(INDEX_SAMPLES), 'own'].map((word) => [
    word, text(/** @type {import('../text.js').TextId} */ (`indexes.file.${word}`)),
  ]));
  #area = new Field('indexes.file', h('textarea', { name: 'indexes', rows: 14, spellcheck: 'false', autocapitalize: 'off', dir: 'ltr' }),
    'indexes.file.hint');
  // The button speaks for it: a control of the browser's would say its name in the browser's language.
  #picker = h('input', { type: 'file', accept: '.json,application/json', hidden: true });
  element = h('div', {
    class: 'index-file',
    dragover: (event) => event.preventDefault(),
    drop: (event) => this.#onDrop(/** @type {DragEvent} */ (event)),
  }, this.#choice.element, this.#area.element,
  h('div', { class: 'actions' }, button('indexes.file.open', { onPress: () => this.#picker.click() }), this.#picker));

  /**
   * @param {string} word Of the address: which file.
   * @param {(word: string) => void} onChange
   */
  constructor(word, onChange) {
    this.#onChange = onChange;
    this.#picker.addEventListener('change', async () => {
      await this.#onFiles(this.#picker.files);
      // Who chooses the same file again has changed it.
      this.#picker.value = '';
    });
    this.#choice.element.addEventListener('change', () => this.#show(this.#choice.value));
    this.#area.control.addEventListener('input', () => this.#take(this.#area.control.value));
    const first = Object.keys(INDEX_SAMPLES)[0] ?? '';
    this.#choice.value = word === 'own' || Object.hasOwn(INDEX_SAMPLES, word) ? word : first;
    if (this.#choice.value === 'own' && own === null) this.#choice.value = first;
    this.#fill();
  }

  /** The file. */
  get text() {
    return this.#area.control.value;
  }

  /** Which one it is. */
  get word() {
    return this.#choice.value;
  }

  #fill() {
    const { value } = this.#choice;
    this.#area.control.value = value === 'own' ? own ?? '' : INDEX_SAMPLES[/** @type {keyof typeof INDEX_SAMPLES} */ (value)];
  }

  /** @param {string} word */
  #show(word) {
    this.#choice.value = word;
    this.#fill();
    this.#onChange(word);
  }

  /** @param {string} content */
  #take(content) {
    own = content;
    this.#choice.value = 'own';
    this.#onChange('own');
  }

  /** @param {DragEvent} event */
  #onDrop(event) {
    event.preventDefault();
    this.#onFiles(event.dataTransfer?.files ?? null);
  }

  /** @param {FileList | null} files */
  async #onFiles(files) {
    const file = files?.[0];
    if (!file) return;
    if (file.size > MOST_BYTES) {
      this.#area.setError(text('indexes.file.too-large'));
      return;
    }
    try {
      own = await file.text();
    } catch {
      // It is a folder, or may not be read.
      this.#area.setError(text('indexes.file.unreadable'));
      return;
    }
    this.#area.setError('');
    this.#show('own');
  }
}
