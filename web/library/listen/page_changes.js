// The diff of two pages, like docChanges() of Firebase's SDKs.

/**
 * @import { DocumentData } from '../document_types.js'
 * @import { DocumentSnapshot } from '../revive.js'
 */

/**
 * @template [T=DocumentData]
 * @typedef {object} PageChange Applied one after the other to the last page, they make this one.
 * @property {'added' | 'modified' | 'removed'} type
 * @property {DocumentSnapshot<T>} doc
 * @property {number} oldIndex Its index before this change; -1 if it was added.
 * @property {number} newIndex Its index after this change; -1 if it was removed.
 */

/**
 * Documents that have not changed are the same objects in both pages, and in the same order.
 * @param {DocumentSnapshot<any>[]} before
 * @param {DocumentSnapshot<any>[]} after
 * @returns {PageChange<any>[]} Those that are removed come first, then the others in the order of the page.
 */
export function changesBetween(before, after) {
  /** @type {PageChange<any>[]} */
  const changes = [];
  const kept = new Set(after.map(({ id }) => id));
  const had = new Map(before.map((doc) => [doc.id, doc]));
  const ids = before.map(({ id }) => id);
  for (const doc of before) {
    if (kept.has(doc.id)) continue;
    const oldIndex = ids.indexOf(doc.id);
    ids.splice(oldIndex, 1);
    changes.push({ type: 'removed', doc, oldIndex, newIndex: -1 });
  }
  for (const [at, doc] of after.entries()) {
    const { id } = doc;
    if (had.get(id) === doc) continue;
    const oldIndex = ids.indexOf(id);
    if (oldIndex >= 0) ids.splice(oldIndex, 1);
    const previous = after[at - 1];
    const newIndex = previous ? ids.indexOf(previous.id) + 1 : 0;
    ids.splice(newIndex, 0, id);
    changes.push({ type: oldIndex < 0 ? 'added' : 'modified', doc, oldIndex, newIndex });
  }
  return changes;
}
