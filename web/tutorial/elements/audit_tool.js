import { openWorkbench } from '../../library/workbench.js';
import { h } from '../dom.js';
import { RISING_IN_SAMPLES } from '../index_samples.js';
import { richText, text } from '../text.js';
import { FieldChoice, fieldsByCollection, keyOf } from './field_choice.js';
import { IndexFileField } from './index_file_field.js';
import { indexLine } from './index_line.js';
import { Notice } from './notice.js';

/**
 * @typedef {import('../../library/workbench.js').IndexAudit} IndexAudit
 * @typedef {import('../../library/workbench.js').IndexFinding} Finding
 */

/** Which indexes of a firestore.indexes.json are hot, and why; and which ones may be, because of a field's name. */
export class AuditTool {
  #host;
  #file;
  #notice = new Notice();
  #findings = h('ul', { class: 'findings' });
  #count = h('p', { role: 'status', class: 'findings-count' });
  /** The fields of the reader's own file that the reader has marked as rising. @type {Set<string>} */
  #told = new Set();
  #rising = new FieldChoice('rising', { legend: 'indexes.candidates', hint: 'indexes.candidates.hint', label: 'indexes.candidate' }, () => {
    this.#told = this.#rising.ticked;
    this.#audit();
  });
  element;

  /** @param {import('../chapters/chapter.js').ToolHost} host */
  constructor(host) {
    this.#host = host;
    this.#file = new IndexFileField(host.words.file ?? '', (file) => {
      host.keep({ file });
      this.#audit();
    });
    this.element = h('div', { class: 'tool two-columns' }, this.#file.element,
      h('div', { class: 'findings-box' }, h('h3', {}, text('indexes.findings')),
        this.#notice.element, this.#count, this.#rising.element, this.#findings));
    this.#audit();
  }

  async #audit() {
    const file = this.#file.text;
    this.element.setAttribute('aria-busy', 'true');
    try {
      const { auditIndexes } = await openWorkbench();
      const isSample = this.#file.word !== 'own';
      const told = namedIn(auditIndexes(file)).filter((each) => this.#told.has(keyOf(each)));
      const rising = RISING_IN_SAMPLES[/** @type {keyof typeof RISING_IN_SAMPLES} */ (this.#file.word)] ?? fieldsByCollection(told);
      const audit = auditIndexes(file, { rising });
      if (file !== this.#file.text) return;
      this.#notice.clear();
      this.#show(audit);
      // The rising fields of the samples are known.
      this.#rising.show(isSample ? [] : namedIn(audit), this.#told);
      this.#host.changed({ ...audit, word: this.#file.word });
    } catch (error) {
      this.#show(null);
      this.#notice.fail(error, null);
    } finally {
      if (file === this.#file.text) this.element.removeAttribute('aria-busy');
    }
  }

  /** @param {IndexAudit | null} audit Null: the file cannot be read. */
  #show(audit) {
    const all = audit ? [...audit.findings, ...audit.candidates] : [];
    this.#count.textContent = audit ? text('indexes.findings.count', {
      hot: all.filter(({ risk }) => risk === 'hot').length,
      perhaps: all.filter(({ risk }) => risk === 'perhaps').length,
    }) : '';
    this.#findings.replaceChildren(...all.map(finding));
  }
}

/** The fields that rise in the file, in fact or perhaps. @param {IndexAudit} audit */
export function namedIn({ findings, candidates }) {
  return [...findings, ...candidates].map(({ collection, field }) => ({ collection, field }));
}

/** @param {Finding & {hint?: string}} finding */
function finding({ where, risk, collection, field, index, hint }) {
  const front = (index ?? []).map(({ fieldPath }) => fieldPath);
  const before = front.slice(0, front.indexOf(field)).join(', ');
  const isFirst = before === '';
  const why = where === 'single-field'
    ? richText('indexes.why.single', { field })
    : richText(isFirst ? 'indexes.why.first' : 'indexes.why.behind', { field, front: before });
  return h('li', { class: 'finding', 'data-risk': risk },
    h('p', { class: 'finding-head' }, h('span', { class: 'risk' }, text(risk === 'hot' ? 'indexes.risk.hot' : 'indexes.risk.perhaps')), ' ',
      indexLine(collection, index ?? [{ fieldPath: field }])),
    h('p', {}, hint ? h('b', {}, text('indexes.perhaps'), ' ') : null, why));
}
