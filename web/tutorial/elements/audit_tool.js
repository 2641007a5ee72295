import { openWorkbench } from '../../library/workbench.js';
import { h } from '../dom.js';
import { richText, text } from '../text.js';
import { IndexFileField } from './index_file_field.js';
import { indexLine } from './index_line.js';
import { Notice } from './notice.js';

/** @typedef {import('../../library/workbench.js').IndexFinding} Finding */

/** Which indexes of a firestore.indexes.json are hot, and why. */
export class AuditTool {
  #host;
  #file;
  #notice = new Notice();
  #findings = h('ul', { class: 'findings' });
  #count = h('p', { role: 'status', class: 'findings-count' });
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
        this.#notice.element, this.#count, this.#findings));
    this.#audit();
  }

  async #audit() {
    const file = this.#file.text;
    this.element.setAttribute('aria-busy', 'true');
    try {
      const { auditIndexes } = await openWorkbench();
      const findings = auditIndexes(file);
      if (file !== this.#file.text) return;
      this.#notice.clear();
      this.#show(findings);
      this.#host.changed({ findings, word: this.#file.word });
    } catch (error) {
      this.#show(null);
      this.#notice.fail(error, null);
    } finally {
      if (file === this.#file.text) this.element.removeAttribute('aria-busy');
    }
  }

  /** @param {Finding[] | null} findings Null: the file cannot be read. */
  #show(findings) {
    this.#count.textContent = findings ? text('indexes.findings.count', {
      hot: findings.filter(({ risk }) => risk === 'hot').length,
      perhaps: findings.filter(({ risk }) => risk === 'perhaps').length,
    }) : '';
    this.#findings.replaceChildren(...(findings ?? []).map(finding));
  }
}

/** @param {Finding} finding */
function finding({ where, risk, collection, field, index, guessed }) {
  const front = (index ?? []).map(({ fieldPath }) => fieldPath);
  const before = front.slice(0, front.indexOf(field)).join(', ');
  const why = where === 'single-field'
    ? richText('indexes.why.single', { field })
    : richText(risk === 'hot' ? 'indexes.why.first' : 'indexes.why.behind', { field, front: before });
  return h('li', { class: 'finding', 'data-risk': risk },
    h('p', { class: 'finding-head' }, h('span', { class: 'risk' }, text(risk === 'hot' ? 'indexes.risk.hot' : 'indexes.risk.perhaps')), ' ',
      indexLine(collection, index ?? [{ fieldPath: field }])),
    h('p', {}, why, guessed ? h('span', { class: 'hint' }, ' ', text('indexes.guessed')) : null));
}
