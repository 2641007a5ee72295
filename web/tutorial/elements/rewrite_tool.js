import { openWorkbench } from '../../library/workbench.js';
import { h } from '../dom.js';
import { richText, text } from '../text.js';
import { namedIn } from './audit_tool.js';
import { CodeBlock } from './code_block.js';
import { checkbox, input } from './controls.js';
import { Field } from './field.js';
import { FieldChoice, fieldsByCollection, keyOf } from './field_choice.js';
import { IndexFileField } from './index_file_field.js';
import { indexLine } from './index_line.js';
import { Notice } from './notice.js';

/**
 * @typedef {import('../../library/workbench.js').Workbench} Workbench
 * @typedef {import('../../library/workbench.js').RewrittenIndexes} Rewritten
 * @typedef {import('../../library/workbench.js').RewrittenIndexes['changes'][number]} Change
 */

/** In this order: each step breaks a running app if it comes before the one in front of it. */
const STEPS = /** @type {const} */ (['indexes.step.queries', 'indexes.step.backfill', 'indexes.step.indexes', 'indexes.step.remove']);

/**
 * The two firestore.indexes.json that a reader needs one after the other, made from the one that they have; and each change with its reason.
 * Nothing changes for a collection that is not said to take more than an index takes.
 */
export class RewriteTool {
  #host;
  #file;
  #shard = new Field('indexes.shard-field', input('shard-field', { value: 'shard', dir: 'ltr' }), 'indexes.shard-field.hint');
  #counters = checkbox('counters', 'indexes.counters', { onChange: () => this.#onChange() });
  #busy = new FieldChoice('busy', { legend: 'indexes.busy', hint: 'indexes.busy.hint', label: 'indexes.busy.label' }, () => {
    this.#ticked = this.#busy.ticked;
    this.#onChange();
  });
  /** The fields of collections that take too much for one index. @type {Set<string>} */
  #ticked;
  #notice = new Notice();
  #said = h('p', { role: 'status' });
  #steps = h('ol', { class: 'index-steps', hidden: true });
  #changesHead = h('h3', { hidden: true }, text('indexes.changes'));
  #changes = h('ul', { class: 'findings' });
  #laterChanges = h('ul', { class: 'findings' });
  #laterHead = h('h3', { hidden: true }, text('indexes.changes.later'));
  #result = new CodeBlock(text('indexes.rewritten'));
  #later = new CodeBlock(text('indexes.rewritten.later'));
  element;

  /** @param {import('../chapters/chapter.js').ToolHost} host */
  constructor(host) {
    this.#host = host;
    const { file = '', shard, counters, busy = '' } = host.words;
    this.#file = new IndexFileField(file, () => this.#onChange());
    this.#ticked = new Set(busy.split(',').filter(Boolean));
    if (shard) this.#shard.control.value = shard;
    this.#counters.control.checked = counters === 'yes';
    this.#shard.control.addEventListener('input', () => this.#onChange());
    this.element = h('div', { class: 'tool' },
      h('div', { class: 'two-columns' }, this.#file.element,
        h('div', { class: 'rewrite-options' }, this.#busy.element, this.#shard.element, this.#counters.element, this.#notice.element, this.#said,
          this.#steps, this.#result.element, this.#later.element)),
      h('div', { class: 'findings-box' }, this.#changesHead, this.#changes, this.#laterHead, this.#laterChanges));
    this.#rewrite();
  }

  #onChange() {
    const isSample = this.#file.word !== 'own';
    this.#host.keep({
      file: this.#file.word, shard: this.#shard.value, counters: this.#counters.control.checked ? 'yes' : 'no',
      // The content of the reader's own file goes into no address.
      ...(isSample && this.#ticked.size > 0 ? { busy: [...this.#ticked].join(',') } : {}),
    });
    this.#rewrite();
  }

  async #rewrite() {
    this.element.setAttribute('aria-busy', 'true');
    try {
      const workbench = await openWorkbench();
      const shards = shardsOf(workbench, this.#file.text, this.#shard.value);
      const asked = namedIn(workbench.auditIndexes(this.#file.text, { shards }));
      const busy = new Map(asked.map((each) => [keyOf(each), each]));
      for (const key of busy.keys()) if (!this.#ticked.has(key)) busy.delete(key);
      this.#busy.show(asked, this.#ticked);
      const known = { shards, rising: fieldsByCollection(busy.values()) };
      const { findings: before } = workbench.auditIndexes(this.#file.text, known);
      const rewritten = this.#rewriteWith(workbench, [...busy.values()]);
      const { findings: after } = workbench.auditIndexes(rewritten.next?.text ?? rewritten.text, known);
      this.#notice.clear();
      this.#said.textContent = busy.size > 0 ? text('indexes.before-after', { before: before.length, after: after.length }) : '';
      this.#show(rewritten, new Set([...busy.values()].map(({ collection }) => collection)));
      this.#host.changed({ before, after, changes: rewritten.changes });
    } catch (error) {
      this.#said.textContent = '';
      this.#show({ text: '', changes: [], next: null, notes: [], commentsLost: false }, new Set());
      this.#notice.fail(error, null);
    } finally {
      this.element.removeAttribute('aria-busy');
    }
  }

  /**
   * @param {Workbench} workbench
   * @param {import('./field_choice.js').FieldOfCollection[]} busy A collection may have several fields that rise.
   */
  #rewriteWith(workbench, busy) {
    const collections = busy.map(({ collection, field }) => ({ collection, orderField: field, shardField: this.#shard.value }));
    return workbench.rewriteIndexes(this.#file.text, { collections, counters: this.#counters.control.checked });
  }

  /**
   * @param {Rewritten} rewritten
   * @param {Set<string>} sharded The reader's collections that take too much for one index: all others are Shardline's own.
   */
  #show({ text: first, changes, next }, sharded) {
    this.#result.show(first);
    this.#later.show(next?.text ?? '');
    this.#changesHead.hidden = changes.length === 0;
    for (const part of [this.#later.element, this.#laterHead]) part.hidden = !next;
    this.#steps.hidden = sharded.size === 0;
    this.#steps.replaceChildren(...STEPS.map((step) => h('li', {}, richText(step, { shard: this.#shard.value }))));
    const items = (/** @type {Change[]} */ list) => groups(list, sharded).map((group) => changeItem(group, this.#shard.value, sharded));
    this.#changes.replaceChildren(...items(changes));
    this.#laterChanges.replaceChildren(...items(next?.changes ?? []));
  }
}

/**
 * The fields in front of a rising field, for every collection of the file.
 * @param {Workbench} workbench
 * @param {string} file
 * @param {string} shard
 */
function shardsOf({ auditIndexes }, file, shard) {
  return Object.fromEntries(namedIn(auditIndexes(file)).map(({ collection }) => [collection, ['shard', shard]]));
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
