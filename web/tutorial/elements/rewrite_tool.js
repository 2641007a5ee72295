import { openWorkbench } from '../../library/workbench.js';
import { h } from '../dom.js';
import { richText, text } from '../text.js';
import { CodeBlock } from './code_block.js';
import { checkbox, input } from './controls.js';
import { Field } from './field.js';
import { IndexFileField } from './index_file_field.js';
import { indexLine } from './index_line.js';
import { Notice } from './notice.js';

/**
 * @typedef {import('../../library/workbench.js').Workbench} Workbench
 * @typedef {import('../../library/workbench.js').RewrittenIndexes['changes'][number]} Change
 */

/** The firestore.indexes.json that a reader needs, made from the one that they have; and each change with its reason. */
export class RewriteTool {
  #host;
  #file;
  #shard = new Field('indexes.shard-field', input('shard-field', { value: 'shard', dir: 'ltr' }), 'indexes.shard-field.hint');
  #counters = checkbox('counters', 'indexes.counters', { onChange: () => this.#onChange() });
  #notice = new Notice();
  #said = h('p', { role: 'status' });
  #changes = h('ul', { class: 'findings' });
  #result = new CodeBlock(text('indexes.rewritten'));
  element;

  /** @param {import('../chapters/chapter.js').ToolHost} host */
  constructor(host) {
    this.#host = host;
    const { file = '', shard, counters } = host.words;
    this.#file = new IndexFileField(file, () => this.#onChange());
    if (shard) this.#shard.control.value = shard;
    this.#counters.control.checked = counters === 'yes';
    this.#shard.control.addEventListener('input', () => this.#onChange());
    this.element = h('div', { class: 'tool' },
      h('div', { class: 'two-columns' }, this.#file.element,
        h('div', { class: 'rewrite-options' }, this.#shard.element, this.#counters.element, this.#notice.element, this.#said,
          this.#result.element)),
      h('div', { class: 'findings-box' }, h('h3', {}, text('indexes.changes')), this.#changes));
    this.#rewrite();
  }

  #onChange() {
    this.#host.keep({ file: this.#file.word, shard: this.#shard.value, counters: this.#counters.control.checked ? 'yes' : 'no' });
    this.#rewrite();
  }

  async #rewrite() {
    this.element.setAttribute('aria-busy', 'true');
    try {
      const workbench = await openWorkbench();
      const found = workbench.auditIndexes(this.#file.text);
      const shards = Object.fromEntries(found.map(({ collection }) => [collection, ['shard', this.#shard.value]]));
      const before = workbench.auditIndexes(this.#file.text, { shards });
      const { text: rewritten, changes } = this.#rewriteWith(workbench, before);
      const after = workbench.auditIndexes(rewritten, { shards });
      this.#notice.clear();
      this.#said.textContent = text('indexes.before-after', { before: before.length, after: after.length });
      this.#result.show(rewritten);
      const sharded = new Set(before.map(({ collection }) => collection));
      this.#changes.replaceChildren(...groups(changes, sharded).map((group) => changeItem(group, this.#shard.value, sharded)));
      this.#host.changed({ before, after, changes });
    } catch (error) {
      this.#said.textContent = '';
      this.#result.show('');
      this.#changes.replaceChildren();
      this.#notice.fail(error, null);
    } finally {
      this.element.removeAttribute('aria-busy');
    }
  }

  /**
   * @param {Workbench} workbench
   * @param {import('../../library/workbench.js').IndexFinding[]} findings
   */
  #rewriteWith(workbench, findings) {
    // A collection may have several fields that rise.
    const rising = new Map(findings.map(({ collection, field }) => [JSON.stringify([collection, field]), { collection, orderField: field }]));
    const collections = [...rising.values()].map((each) => ({ ...each, shardField: this.#shard.value }));
    return workbench.rewriteIndexes(this.#file.text, { collections, counters: this.#counters.control.checked });
  }
}

/**
 * @param {Change} change
 * @param {Set<string>} sharded
 */
const isSharded = ({ index }, sharded) => sharded.has(/** @type {any} */ (index).collectionGroup);

/**
 * Those together that have the same reason.
 * @param {Change[]} changes
 * @param {Set<string>} sharded The reader's collections in which a field rises: all others are Shardline's own.
 */
function groups(changes, sharded) {
  /** @type {Map<string, Change[]>} */
  const found = new Map();
  for (const change of changes) {
    const reason = `${change.kind} ${'ttl' in change.index} ${isSharded(change, sharded)}`;
    found.set(reason, [...found.get(reason) ?? [], change]);
  }
  return [...found.values()];
}

/**
 * @param {Change[]} changes
 * @param {string} shard
 * @param {Set<string>} sharded
 */
function changeItem(changes, shard, sharded) {
  const first = /** @type {Change} */ (changes[0]);
  const { kind, index } = first;
  const { fieldPath, ttl } = /** @type {any} */ (index);
  const why = {
    removed: richText('indexes.change.removed', { shard }),
    added: richText('indexes.change.added', { shard }),
    exempted: ttl ? richText('indexes.change.ttl', { field: fieldPath })
      : richText(isSharded(first, sharded) ? 'indexes.change.exempted' : 'indexes.change.exempted.own'),
  }[kind];
  return h('li', { class: 'finding', 'data-kind': kind },
    h('p', {}, h('span', { class: 'risk' }, text(`indexes.kind.${kind}`)), ' ', why),
    ...changes.map((change) => {
      const { collectionGroup, fields, fieldPath: only } = /** @type {any} */ (change.index);
      return h('p', {}, indexLine(collectionGroup, fields ?? [{ fieldPath: only }]));
    }));
}
