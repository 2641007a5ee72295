import { h } from '../dom.js';
import { text } from '../text.js';

/** @typedef {import('../../library/workbench.js').IndexFieldEntry} IndexFieldEntry */

/**
 * An index as one reads it: `shard ↑ exchange ↑ timestamp ↓`.
 * @param {string} collection
 * @param {IndexFieldEntry[]} fields
 */
export function indexLine(collection, fields) {
  return h('span', { class: 'index-line mono', translate: 'no' }, h('strong', {}, collection), ...fields.flatMap((field) => [
    ' ', h('span', { class: 'index-field' }, field.fieldPath, h('span', { 'aria-hidden': 'true' }, ` ${arrow(field)}`),
      h('span', { class: 'visually-hidden' }, ` ${direction(field)}`)),
  ]));
}

/** @param {IndexFieldEntry} field */
function arrow({ order, arrayConfig }) {
  if (order) return order === 'DESCENDING' ? '↓' : '↑';
  return arrayConfig ? '[]' : '•';
}

/** @param {IndexFieldEntry} field */
function direction({ order }) {
  if (!order) return '';
  return text(order === 'DESCENDING' ? 'indexes.descending' : 'indexes.ascending');
}
