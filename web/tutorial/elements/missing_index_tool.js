import { openWorkbench } from '../../library/workbench.js';
import { h } from '../dom.js';
import { MISSING_INDEX_ERROR } from '../index_samples.js';
import { text } from '../text.js';
import { CodeBlock } from './code_block.js';
import { button } from './controls.js';
import { Field } from './field.js';
import { indexLine } from './index_line.js';
import { Notice } from './notice.js';

/** @typedef {import('../../library/workbench.js').MissingIndex} MissingIndex */

/** The index that Firestore's error asks for. */
export class MissingIndexTool {
  #host;
  #area = new Field('indexes.error', h('textarea', { name: 'error', rows: 5, spellcheck: 'false', dir: 'ltr' }), 'indexes.error.hint');
  #notice = new Notice();
  #answer = h('div', { role: 'status', class: 'missing-index' });
  #entries = h('div', { class: 'code-blocks' });
  element;

  /** @param {import('../chapters/chapter.js').ToolHost} host */
  constructor(host) {
    this.#host = host;
    this.#area.control.addEventListener('input', () => this.#explain());
    this.element = h('div', { class: 'tool' }, this.#area.element,
      h('div', { class: 'actions' }, button('indexes.error.sample', { onPress: () => {
        this.#area.control.value = MISSING_INDEX_ERROR;
        this.#explain();
      } })),
      this.#notice.element, this.#answer, this.#entries);
  }

  async #explain() {
    const { value } = this.#area;
    this.#notice.clear();
    this.#answer.replaceChildren();
    this.#entries.replaceChildren();
    if (value === '') return;
    try {
      const workbench = await openWorkbench();
      const missing = workbench.explainMissingIndex(value);
      if (value !== this.#area.value) return;
      this.#show(missing, withShard(workbench, missing));
      this.#host.changed(missing);
    } catch (error) {
      this.#notice.fail(error, null);
    }
  }

  /**
   * @param {MissingIndex} missing
   * @param {object | null} sharded To be taken in place of the entry if the collection takes more than an index takes.
   */
  #show({ kind, collection, entry, risk }, sharded) {
    const { fields, fieldPath } = /** @type {any} */ (entry);
    const asked = kind === 'composite' ? 'indexes.asks.composite' : 'indexes.asks.single';
    this.#answer.replaceChildren(h('p', {}, text(asked), ' ', indexLine(collection, fields ?? [{ fieldPath }])),
      h('p', {}, text(`indexes.asks.risk.${risk}`)));
    this.#entries.replaceChildren(...sharded
      ? [block(text('indexes.entry.asked'), entry), block(text('indexes.entry.sharded'), sharded)]
      : [block(text('indexes.entry'), entry)]);
  }
}

/**
 * The composite index with the shard in front, like in the step before, if the index in the error may be hot.
 * @param {import('../../library/workbench.js').Workbench} workbench
 * @param {MissingIndex} missing
 * @returns {object | null}
 */
function withShard({ auditIndexes, rewriteIndexes }, { kind, collection, entry, risk }) {
  if (kind !== 'composite' || risk === 'none') return null;
  const file = JSON.stringify({ indexes: [entry], fieldOverrides: [] });
  const rising = auditIndexes(file).candidates.find(({ where }) => where === 'composite');
  if (!rising) return null;
  const { text: rewritten } = rewriteIndexes(file, { collections: [{ collection, orderField: rising.field, shardField: 'shard' }], removeOld: true });
  return JSON.parse(rewritten).indexes[0] ?? null;
}

/**
 * @param {string} label
 * @param {object} entry
 */
function block(label, entry) {
  const made = new CodeBlock(label);
  made.show(JSON.stringify(entry, null, 2));
  return made.element;
}
