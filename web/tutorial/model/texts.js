// Reads the texts of recorded requests and answers.

/**
 * @typedef {object} Instrument
 * @property {string} id
 * @property {string} shard
 * @property {string} symbol
 * @property {string} instrumentType
 * @property {string} exchange
 * @property {string} currency
 * @property {string} timestamp
 */

/**
 * @param {string} name `projects/…/documents/instruments/a1`
 * @returns {string} Its last part.
 */
export function idOf(name) {
  return name.slice(name.lastIndexOf('/') + 1);
}

/**
 * @param {any} answer The answer to a :runQuery, parsed or as text.
 * @returns {any[]} The documents in it.
 */
export function documentsOf(answer) {
  const elements = typeof answer === 'string' ? JSON.parse(answer) : answer;
  return Array.isArray(elements) ? elements.flatMap(({ document }) => document ?? []) : [];
}

/**
 * @param {any} document As on the wire.
 * @returns {Instrument}
 */
export function instrumentOf({ name, fields }) {
  return {
    id: idOf(name),
    shard: fields.shard.stringValue,
    symbol: fields.symbol.stringValue,
    instrumentType: fields.instrumentType.stringValue,
    exchange: fields.exchange.stringValue,
    currency: fields.price.mapValue.fields.currency.stringValue,
    timestamp: fields.timestamp.timestampValue,
  };
}

/**
 * @param {string} body Of a :runQuery of a sharded query.
 * @returns {{shards: string[], limit: number | null, isRest: boolean}} Which shard values it asks for, and whether it goes on behind a document.
 */
export function chunkOf(body) {
  const { structuredQuery } = JSON.parse(body);
  const { where, limit = null, startAt } = structuredQuery;
  const filters = where.compositeFilter?.filters ?? [where];
  const { value } = filters.map((/** @type {any} */ { fieldFilter }) => fieldFilter)
    .find((/** @type {any} */ filter) => filter?.field.fieldPath === 'shard');
  const values = value.arrayValue?.values ?? [value];
  return { shards: values.map((/** @type {any} */ { stringValue }) => stringValue), limit, isRest: startAt !== undefined };
}

/**
 * @param {string} body Of a commit.
 * @returns {string | null} The id of the marker that it creates; null if it creates no marker.
 */
export function markerOf(body) {
  for (const { update } of JSON.parse(body).writes ?? []) {
    const [, id = null] = /\/shardline_markers\/(\w+)$/.exec(update?.name ?? '') ?? [];
    if (id !== null) return id;
  }
  return null;
}

/**
 * @param {string} answer
 * @returns {string | null} `ALREADY_EXISTS` and its like; null for a success.
 */
export function errorOf(answer) {
  const parsed = JSON.parse(answer || 'null');
  const { error } = (Array.isArray(parsed) ? parsed[0] : parsed) ?? {};
  return error ? error.status : null;
}
