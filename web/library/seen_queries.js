// Notes the queries that a page has run, one of each form. rewriteIndexes() writes the indexes that they need.

/**
 * @typedef {object} SeenCollection An element of rewriteIndexes({ collections }).
 * @property {string} collection The id of the collection or collection group.
 * @property {string} [shardField]
 * @property {string} [orderField]
 * @property {boolean} [ordinary] Whether it has neither of them.
 * @property {import('./query.js').QueryPlan[]} queries
 */

/** The most queries that it keeps. */
const MOST_FORMS = 1000;

/** The queries of each connection. @type {WeakMap<import('./connection.js').Connection, SeenQueries>} */
const all = new WeakMap();

/** @param {import('./connection.js').Connection} connection */
export function seenBy(connection) {
  const seen = all.get(connection) ?? new SeenQueries();
  all.set(connection, seen);
  return seen;
}

class SeenQueries {
  /** @type {Map<string, {spec: SeenCollection, plan: import('./query.js').QueryPlan}>} */
  #seen = new Map();

  /**
   * @param {import('./query.js').CollectionSpec} collection
   * @param {unknown} form The part of a query that decides its index.
   * @param {() => import('./query.js').QueryPlan} plan
   */
  note({ path, shardField, orderField, ordinary }, form, plan) {
    const collection = path.slice(path.lastIndexOf('/') + 1);
    const key = JSON.stringify([collection, shardField, orderField, ordinary, form]);
    if (this.#seen.size >= MOST_FORMS || this.#seen.has(key)) return;
    this.#seen.set(key, { spec: { collection, shardField, orderField, ordinary, queries: [] }, plan: plan() });
  }

  /** @returns {SeenCollection[]} */
  get collections() {
    /** @type {Map<string, SeenCollection>} */
    const found = new Map();
    for (const { spec, plan } of this.#seen.values()) {
      const key = JSON.stringify([spec.collection, spec.shardField, spec.orderField, spec.ordinary]);
      const entry = found.get(key) ?? { ...spec, queries: [] };
      entry.queries.push(plan);
      found.set(key, entry);
    }
    return [...found.values()];
  }
}
