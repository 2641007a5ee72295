// The same jobs by hand: nothing but fetch, JSON and the one way in which this data can look.

let database = '';
let root = '';

/** @param {{host: string, projectId: string}} emulator */
export async function openEmulator({ host, projectId }) {
  database = `projects/${projectId}/databases/(default)/documents`;
  root = `http://${host}/v1/${database}`;
}

/**
 * @param {string} path
 * @param {number} shards
 */
export async function increment(path, shards) {
  await post(':commit', { writes: [incrementOf(path, shards)] });
}

/**
 * The commit of an exactly-once increment, for the case without faults.
 * @param {string} path
 * @param {number} shards
 */
export async function incrementWithMarker(path, shards) {
  const id = crypto.randomUUID().replaceAll('-', '').slice(12);
  const fields = { applied: { booleanValue: true }, expireAt: { timestampValue: new Date(Date.now() + 30 * 86_400_000).toISOString() } };
  const marker = { update: { name: `${database}/shardline_markers/${id}`, fields }, currentDocument: { exists: false } };
  await post(':commit', { writes: [marker, incrementOf(path, shards)] });
}

/**
 * @param {string} path
 * @param {number} shards
 */
function incrementOf(path, shards) {
  const name = `${database}/${path}/shards/${Math.floor(Math.random() * shards)}`;
  const updateTransforms = [{ fieldPath: 'count', increment: { integerValue: '1' } }];
  return { update: { name }, updateMask: { fieldPaths: [] }, updateTransforms };
}

/** @param {string} path */
export async function total(path) {
  const structuredQuery = { from: [{ collectionId: 'shards' }] };
  const aggregations = [{ alias: 'total', sum: { field: { fieldPath: 'count' } } }];
  const [{ result }] = await post(`/${path}:runAggregationQuery`, { structuredAggregationQuery: { structuredQuery, aggregations } });
  return Number(result.aggregateFields.total.integerValue);
}

/**
 * @param {string} collection
 * @param {string[]} shards
 * @param {number} limit
 */
export async function query(collection, shards, limit) {
  const chunks = [];
  for (let start = 0; start < shards.length; start += 30) chunks.push(shards.slice(start, start + 30));
  const answers = await Promise.all(chunks.map((chunk) => post(':runQuery', sharded(collection, chunk, limit))));
  const documents = [];
  for (const answer of answers) for (const { document } of answer) if (document) documents.push(document);
  if (chunks.length > 1) documents.sort((a, b) => compare(b.fields.timestamp.timestampValue, a.fields.timestamp.timestampValue));
  return documents.slice(0, limit).map(({ name, fields }) => ({ id: name.slice(name.lastIndexOf('/') + 1), data: plainFields(fields) }));
}

/**
 * The least work of any client: as many requests, each for its share of the page. No code looks at the answers.
 * @param {string} collection
 * @param {string[]} shards
 * @param {number} limit
 */
export async function queryUnread(collection, shards, limit) {
  const requests = [];
  const share = Math.ceil((30 * limit) / shards.length);
  for (let start = 0; start < shards.length; start += 30) {
    requests.push(send(':runQuery', sharded(collection, shards.slice(start, start + 30), Math.min(share, limit))));
  }
  await Promise.all(requests.map(async (request) => (await request).arrayBuffer()));
}

/**
 * @param {string} collection
 * @param {string[]} chunk
 * @param {number} limit
 */
function sharded(collectionId, chunk, limit) {
  const values = chunk.map((stringValue) => ({ stringValue }));
  const filters = [
    { fieldFilter: { field: { fieldPath: 'shard' }, op: 'IN', value: { arrayValue: { values } } } },
    { fieldFilter: { field: { fieldPath: 'price.currency' }, op: 'EQUAL', value: { stringValue: 'USD' } } },
  ];
  const orderBy = [{ field: { fieldPath: 'timestamp' }, direction: 'DESCENDING' }];
  return { structuredQuery: { from: [{ collectionId }], where: { compositeFilter: { op: 'AND', filters } }, orderBy, limit } };
}

/**
 * @param {string} a Two times as Firestore writes them.
 * @param {string} b
 */
function compare(a, b) {
  // Without their Z, times with fewer digits of a second sort before those with more.
  if (a.length !== b.length) return a.slice(0, -1) < b.slice(0, -1) ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

function plainFields(fields) {
  const plain = {};
  for (const name in fields) plain[name] = plainValue(fields[name]);
  return plain;
}

function plainValue(value) {
  if ('stringValue' in value) return value.stringValue;
  if ('integerValue' in value) return Number(value.integerValue);
  if ('timestampValue' in value) return new Date(value.timestampValue);
  return plainFields(value.mapValue.fields);
}

/**
 * @param {string} path
 * @param {object} body
 */
async function post(path, body) {
  return (await send(path, body)).json();
}

/**
 * @param {string} path
 * @param {object} body
 */
async function send(path, body) {
  const response = await fetch(root + path, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return response;
}
