/** Random sequences of Firestore requests over a small world, in which documents and fields meet again and again. */
import { withEnums } from './enums.js';
import { Random, ValueGenerator } from './random.js';

/** @typedef {import('./conformance.js').ConformanceRequest} ConformanceRequest */

const COLLECTIONS = ['a', 'b', 'a/x/c', 'b/y/a', 'ä'];
const IDS = ['x', 'y', 'z', '10', '9', '__id7__', '__id10__', 'é', '\ufffd', '😀', 'X', 'x y', '~'];
const FIELDS = ['f', 'g', 'h', 'm', 'list', 'vector', 'x.y', 'ü', 'B'];
const PATHS = ['f', 'g', 'h', 'm', 'm.k', 'm.l', 'm.k.q', 'list', '`x.y`', '`ü`', 'B', 'missing', 'f.k'];
const OPS = ['LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'EQUAL', 'EQUAL', 'EQUAL', 'NOT_EQUAL', 'ARRAY_CONTAINS', 'IN', 'IN',
  'ARRAY_CONTAINS_ANY', 'NOT_IN'];
const UNARY = ['IS_NAN', 'IS_NULL', 'IS_NOT_NAN', 'IS_NOT_NULL'];
/** The sum of these does not depend on the order. */
const SMALL_DOUBLES = [0, 0.5, 1, 1.5, -2, 3];

export class RequestGenerator {
  /** @param {number} seed */
  constructor(seed) {
    this.random = new Random(seed);
    this.values = new ValueGenerator(this.random, { database: '~db~', maxDepth: 3 });
    this.ids = this.random.shuffle(IDS).slice(0, 4);
    this.tokens = 0;
  }

  /** @param {number} length @returns {ConformanceRequest[]} */
  sequence(length) {
    const requests = /** @type {ConformanceRequest[]} */ ([]);
    requests.push(this.commit(3), this.commit(3));
    while (requests.length < length) requests.push(...this.step());
    return requests.slice(0, length).map((request) => this.wordEnums(request));
  }

  /** Half of the requests have numbers for some enumerators. @param {ConformanceRequest} request @returns {ConformanceRequest} */
  wordEnums(request) {
    const { random } = this;
    if (typeof request.body !== 'object' || random.chance(0.5)) return request;
    return { ...request, body: withEnums(request.body, (number, name) => random.pick([number, number, String(number), name])) };
  }

  /** @returns {ConformanceRequest[]} */
  step() {
    const { random } = this;
    const dice = random.between(0, 99);
    if (dice < 30) return [this.commit(random.between(1, 3))];
    if (dice < 58) return [this.query()];
    if (dice < 66) return [this.aggregation()];
    if (dice < 74) return [this.batchGet()];
    if (dice < 78) return [{ method: 'GET', path: `/${this.urlPath(this.documentPath())}${this.maskParameters('mask')}` }];
    if (dice < 82) return [this.list()];
    if (dice < 84) return [this.create()];
    if (dice < 88) return [this.patch()];
    if (dice < 90) return [{ method: 'DELETE', path: `/${this.urlPath(this.documentPath())}${random.chance(0.3) ? `?currentDocument.exists=${random.pick(['true', 'false'])}` : ''}` }];
    if (dice < 92) return [{ method: 'POST', path: `${random.chance(0.5) ? '' : `/${this.urlPath(this.documentPath())}`}:listCollectionIds`, body: {}, admin: random.chance(0.9) }];
    if (dice < 94) return [{ method: 'POST', path: ':batchWrite', body: { writes: this.distinctWrites() }, admin: random.chance(0.9) }];
    if (dice < 97) return this.transaction();
    return [this.broken()];
  }

  collection() {
    return this.random.pick(COLLECTIONS);
  }

  documentPath() {
    return `${this.collection()}/${this.random.pick(this.ids)}`;
  }

  name() {
    return `~root~/${this.documentPath()}`;
  }

  /** @param {string} path */
  urlPath(path) {
    return path.split('/').map(encodeURIComponent).join('/');
  }

  fieldPath() {
    return this.random.pick(PATHS);
  }

  /** A value that has good chances to be met again. @returns {any} */
  value() {
    const { random } = this;
    if (random.chance(0.45)) return { integerValue: String(random.between(0, 3)) };
    if (random.chance(0.3)) return { doubleValue: random.pick(SMALL_DOUBLES) };
    if (random.chance(0.3)) return { stringValue: random.pick(['', 'a', 'b', 'é', '\uffff', '😀']) };
    if (random.chance(0.2)) return random.pick([{ nullValue: null }, { doubleValue: 'NaN' }, { booleanValue: true }]);
    return this.values.value(1);
  }

  list_() {
    return { arrayValue: { values: Array.from({ length: this.random.between(0, 3) }, () => this.element()) } };
  }

  element() {
    for (;;) {
      const value = this.value();
      if (!value.arrayValue && !value.mapValue) return value;
    }
  }

  fields() {
    const fields = /** @type {Record<string, any>} */ ({});
    for (const field of FIELDS) {
      if (!this.random.chance(0.45)) continue;
      if (field === 'list') fields.list = this.list_();
      else if (field === 'vector' && this.random.chance(0.8)) fields.vector = this.vector();
      else if (field === 'm' && this.random.chance(0.7)) fields.m = { mapValue: { fields: { k: this.value(), ...(this.random.chance(0.5) ? { l: this.value() } : {}) } } };
      else fields[field] = this.value();
    }
    return fields;
  }

  /** Of small integers, so that a distance does not depend on the order of additions. */
  vector() {
    const { random } = this;
    const values = Array.from({ length: random.chance(0.8) ? 2 : 3 }, () => ({ doubleValue: random.between(-2, 2) }));
    return { mapValue: { fields: { __type__: { stringValue: '__vector__' }, value: { arrayValue: { values } } } } };
  }

  precondition() {
    const { random } = this;
    if (random.chance(0.6)) return {};
    return { currentDocument: random.pick([{ exists: true }, { exists: false }, { updateTime: { $time: random.between(0, 30) } }, {}]) };
  }

  paths() {
    return Array.from({ length: this.random.between(0, 3) }, () => this.fieldPath());
  }

  transform() {
    const { random } = this;
    const values = { values: Array.from({ length: random.between(0, 3) }, () => this.element()) };
    const number = () => random.pick([{ integerValue: String(random.between(-3, 3)) }, { doubleValue: random.pick(SMALL_DOUBLES) }, { integerValue: '9223372036854775807' }, { doubleValue: 'NaN' }]);
    return {
      fieldPath: this.fieldPath(),
      ...random.pick([{ increment: number() }, { increment: number() }, { maximum: number() }, { minimum: number() }, { appendMissingElements: values },
        { removeAllFromArray: values }, { setToServerValue: 'REQUEST_TIME' }]),
    };
  }

  write(name = this.name()) {
    const { random } = this;
    const dice = random.between(0, 11);
    if (dice < 2) return { delete: name, ...this.precondition() };
    if (dice < 4) return { verify: name, currentDocument: random.pick([{ exists: true }, { exists: true }, { exists: false }, { updateTime: { $time: random.between(0, 30) } }, {}]) };
    if (dice < 5) return { transform: { document: name, fieldTransforms: [this.transform()] }, ...this.precondition() };
    return {
      update: { name, fields: this.fields() },
      ...(random.chance(0.4) ? { updateMask: { fieldPaths: this.paths() } } : {}),
      ...(random.chance(0.3) ? { updateTransforms: Array.from({ length: random.between(1, 2) }, () => this.transform()) } : {}),
      ...this.precondition(),
    };
  }

  distinctWrites() {
    const names = new Set(Array.from({ length: 3 }, () => this.name()));
    return [...names].map((name) => this.write(name));
  }

  /** @param {number} count @returns {ConformanceRequest} */
  commit(count) {
    return { method: 'POST', path: ':commit', body: { writes: Array.from({ length: count }, () => this.write()) } };
  }

  /** @param {string} parameter */
  maskParameters(parameter, lead = '?') {
    if (this.random.chance(0.6)) return '';
    const paths = this.paths();
    return paths.length ? lead + paths.map((path) => `${parameter}.fieldPaths=${encodeURIComponent(path)}`).join('&') : '';
  }

  /** @returns {ConformanceRequest} */
  create() {
    // Never without an id: chance decides the place of a generated one among the others.
    const id = `?documentId=${encodeURIComponent(this.random.pick(this.ids))}`;
    return { method: 'POST', path: `/${this.urlPath(this.collection())}${id}`, body: { fields: this.fields() } };
  }

  /** @returns {ConformanceRequest} */
  patch() {
    const exists = this.random.chance(0.3) ? `&currentDocument.exists=${this.random.pick(['true', 'false'])}` : '';
    return { method: 'PATCH', path: `/${this.urlPath(this.documentPath())}?${this.maskParameters('updateMask', '')}&${this.maskParameters('mask', '')}${exists}`, body: { fields: this.fields() } };
  }

  /** @returns {ConformanceRequest} */
  list() {
    const { random } = this;
    const parameters = [`pageSize=${random.pick([0, 1, 2, 3, 100])}`];
    if (random.chance(0.3)) parameters.push(`orderBy=${encodeURIComponent(random.pick(['f', 'g desc', 'f asc, g desc', '__name__', 'm.k desc']))}`);
    if (random.chance(0.3)) parameters.push(this.maskParameters('mask', ''));
    if (parameters.length === 1 && random.chance(0.2)) return { method: 'GET', path: `/${this.urlPath(this.collection())}?${parameters[0]}&showMissing=true`, admin: true };
    return { method: 'GET', path: `/${this.urlPath(this.collection())}?${parameters.join('&')}` };
  }

  consistency() {
    return this.random.chance(0.15) ? { readTime: { $time: this.random.between(0, 30) } } : {};
  }

  /** @returns {ConformanceRequest} */
  batchGet(more = this.consistency()) {
    const documents = Array.from({ length: this.random.between(0, 4) }, () => this.name());
    return { method: 'POST', path: ':batchGet', body: { documents, ...(this.random.chance(0.3) ? { mask: { fieldPaths: this.paths() } } : {}), ...more } };
  }

  /** @param {number} depth @returns {any} */
  filter(depth = 0) {
    const { random } = this;
    if (depth < 2 && random.chance(0.4)) {
      return { compositeFilter: { op: random.pick(['AND', 'AND', 'OR']), filters: Array.from({ length: random.between(1, 3) }, () => this.filter(depth + 1)) } };
    }
    const field = { fieldPath: this.fieldPath() };
    if (random.chance(0.12)) return { unaryFilter: { field, op: random.pick(UNARY) } };
    const op = random.pick(OPS);
    const many = () => ({ arrayValue: { values: Array.from({ length: random.between(1, 4) }, () => (op === 'ARRAY_CONTAINS_ANY' ? this.element() : this.value())) } });
    if (random.chance(0.12)) {
      const reference = () => ({ referenceValue: this.name() });
      const value = op === 'IN' || op === 'NOT_IN' ? { arrayValue: { values: [reference(), reference()] } } : reference();
      return { fieldFilter: { field: { fieldPath: '__name__' }, op, value } };
    }
    if (op.startsWith('ARRAY')) return { fieldFilter: { field: { fieldPath: random.chance(0.8) ? 'list' : field.fieldPath }, op, value: op === 'ARRAY_CONTAINS' ? this.element() : many() } };
    return { fieldFilter: { field, op, value: op === 'IN' || op === 'NOT_IN' ? many() : this.value() } };
  }

  structuredQuery() {
    const { random } = this;
    const query = /** @type {Record<string, any>} */ ({});
    const selector = random.between(0, 19);
    if (selector < 14) query.from = [{ collectionId: random.pick(['a', 'b', 'ä', 'c']) }];
    else if (selector < 18) query.from = [{ collectionId: random.pick(['a', 'c']), allDescendants: true }];
    else if (selector < 19) query.from = [{ allDescendants: true }];
    if (random.chance(0.6)) query.where = this.filter();
    const orders = [];
    if (selector < 18) {
      for (const path of random.shuffle(PATHS).slice(0, random.pick([0, 0, 1, 1, 2]))) orders.push({ field: { fieldPath: path }, ...(random.chance(0.7) ? { direction: random.pick(['ASCENDING', 'DESCENDING']) } : {}) });
      if (random.chance(0.2)) orders.push({ field: { fieldPath: '__name__' }, direction: random.pick(['ASCENDING', 'DESCENDING']) });
    }
    if (orders.length) query.orderBy = orders;
    if (random.chance(0.1)) query.findNearest = this.nearest();
    for (const end of ['startAt', 'endAt']) {
      if (!orders.length || !random.chance(query.findNearest ? 0.02 : 0.25)) continue;
      const values = orders.slice(0, random.between(1, orders.length)).map(({ field }) => (field.fieldPath === '__name__' ? { referenceValue: this.name() } : this.value()));
      query[end] = { values, ...(random.chance(0.6) ? { before: random.chance(0.5) } : {}) };
    }
    if (random.chance(query.findNearest ? 0.02 : 0.3)) query.limit = random.between(0, 4);
    if (random.chance(query.findNearest ? 0.02 : 0.15)) query.offset = random.between(0, 3);
    if (random.chance(0.25)) query.select = { fields: [...this.paths(), ...(random.chance(0.2) ? ['__name__'] : [])].map((fieldPath) => ({ fieldPath })) };
    return query;
  }

  nearest() {
    const { random } = this;
    return {
      vectorField: { fieldPath: random.chance(0.9) ? 'vector' : random.pick(['f', 'missing', '__name__']) },
      queryVector: this.vector(),
      distanceMeasure: random.pick(['EUCLIDEAN', 'COSINE', 'DOT_PRODUCT']),
      limit: random.between(1, 4),
      ...(random.chance(0.4) ? { distanceThreshold: random.pick([-1, 0, 0.5, 1, 2, 3]) } : {}),
      ...(random.chance(0.5) ? { distanceResultField: random.pick(['near', 'f', 'm.k']) } : {}),
    };
  }

  parent() {
    return this.random.chance(0.8) ? '' : `/${this.urlPath(this.random.pick(['a/x', 'b/y', this.documentPath()]))}`;
  }

  /** @returns {ConformanceRequest} */
  query(more = this.consistency()) {
    return { method: 'POST', path: `${this.parent()}:runQuery`, body: { structuredQuery: this.structuredQuery(), ...more } };
  }

  /** @returns {ConformanceRequest} */
  aggregation(more = this.consistency()) {
    const { random } = this;
    const aggregation = () => random.pick([{ count: {} }, { count: { upTo: String(random.between(0, 3)) } }, { sum: { field: { fieldPath: this.fieldPath() } } }, { avg: { field: { fieldPath: this.fieldPath() } } }]);
    const aggregations = Array.from({ length: random.between(1, 3) }, aggregation);
    return { method: 'POST', path: `${this.parent()}:runAggregationQuery`, body: { structuredAggregationQuery: { structuredQuery: this.structuredQuery(), aggregations }, ...more } };
  }

  /** One from its beginning to its end, so that no request waits for its locks. @returns {ConformanceRequest[]} */
  transaction() {
    const { random } = this;
    const readOnly = random.chance(0.3);
    const token = { $token: this.tokens };
    this.tokens += 1;
    const post = (verb, body) => ({ method: 'POST', path: `:${verb}`, body });
    const requests = [post('beginTransaction', readOnly ? { options: { readOnly: {} } } : random.pick([{}, { options: { readWrite: {} } }]))];
    for (let reads = random.between(0, 3); reads > 0; reads -= 1) {
      requests.push(random.pick([() => this.batchGet({ transaction: token }), () => this.query({ transaction: token }), () => this.aggregation({ transaction: token })])());
    }
    if (readOnly || random.chance(0.25)) requests.push(post('rollback', { transaction: token }));
    else requests.push(post('commit', { transaction: token, writes: random.chance(0.9) ? [this.write(), this.write()] : [] }));
    if (random.chance(0.2)) requests.push(post('commit', { transaction: token }));
    // A commit that could not even be read has left it open.
    requests.push(post('rollback', { transaction: token }));
    return requests;
  }

  /**
   * Transactions that overlap, with each other and with writes of others: what one has read, the others are kept from writing.
   * @param {number} length @returns {ConformanceRequest[]}
   */
  interleaved(length) {
    const requests = [this.commit(3), this.commit(2)];
    const open = /** @type {object[]} */ ([]);
    while (requests.length < length) requests.push(this.#interleavedStep(open));
    return requests.map((request) => this.wordEnums(request));
  }

  /** @param {object[]} open Tokens of the transactions that are open, or were. @returns {ConformanceRequest} */
  #interleavedStep(open) {
    const { random } = this;
    const dice = random.between(0, 99);
    const token = random.pick([...open, undefined]);
    if (open.length === 0 || (dice < 20 && open.length < 4)) {
      open.push({ $token: this.tokens });
      this.tokens += 1;
      const options = random.chance(0.85) ? { readWrite: {} } : { readOnly: {} };
      if (random.chance(0.5)) return { method: 'POST', path: ':beginTransaction', body: { options } };
      return this.#readWithin({ newTransaction: options });
    }
    if (dice < 60) {
      return this.#readWithin(token ? { transaction: token } : {});
    }
    if (dice < 80 || !token) return random.pick([() => this.commit(random.between(1, 2)), () => this.commit(1), () => this.create(), () => this.patch()])();
    // Some are tried once more, when they have ended.
    if (random.chance(0.8)) open.splice(open.indexOf(token), 1);
    if (random.chance(0.2)) return { method: 'POST', path: ':rollback', body: { transaction: token } };
    const writes = Array.from({ length: random.between(0, 2) }, () => this.write());
    return { method: 'POST', path: ':commit', body: { transaction: token, ...(writes.length > 0 && { writes }) } };
  }

  /**
   * No query of all collections and no :batchGet of nothing: the emulator breaks down (see known_differences.js), and what follows
   * differs because of that.
   * @param {object} consistency @returns {ConformanceRequest}
   */
  #readWithin(consistency) {
    const request = this.random.pick([() => this.query(consistency), () => this.query(consistency), () => this.aggregation(consistency), () => this.batchGet(consistency)])();
    const { documents, structuredQuery, structuredAggregationQuery } = request.body;
    const from = (structuredQuery ?? structuredAggregationQuery?.structuredQuery)?.from;
    const breaks = documents ? documents.length === 0 : !from?.[0]?.collectionId;
    return breaks ? this.#readWithin(consistency) : request;
  }

  /** A request that a server must refuse. @returns {ConformanceRequest} */
  broken() {
    const { random } = this;
    const update = (name, fields) => ({ method: 'POST', path: ':commit', body: { writes: [{ update: { name: `~root~/${name}`, fields } }] } });
    const query = (structuredQuery) => ({ method: 'POST', path: ':runQuery', body: { structuredQuery: { from: [{ collectionId: 'a' }], ...structuredQuery } } });
    const filter = (op, value, fieldPath = 'f') => query({ where: { fieldFilter: { field: { fieldPath }, op, value } } });
    const one = { integerValue: '1' };
    return random.pick([
      () => update('a', {}), () => update('a/.', {}), () => update('a/__x__', {}), () => update('__x__/a', {}), () => update(`a/${'x'.repeat(1501)}`, {}), () => update('a//b/c', {}),
      () => update('a/x', { __x__: one }), () => update('a/x', { '': one }), () => update('a/x', { f: {} }), () => update('a/x', { f: { fooValue: 1 } }),
      () => update('a/x', { f: { integerValue: 'x' } }), () => update('a/x', { f: { integerValue: '9223372036854775808' } }), () => update('a/x', { f: { timestampValue: 'yesterday' } }),
      () => update('a/x', { f: { bytesValue: '!' } }), () => update('a/x', { f: { arrayValue: { values: [{ arrayValue: {} }] } } }), () => update('a/x', { f: { geoPointValue: { longitude: 181 } } }),
      () => update('a/x', { f: { referenceValue: 'x' } }), () => ({ method: 'POST', path: ':commit', body: { nonsense: 1 } }), () => ({ method: 'POST', path: ':commit', body: '{"writes":[' }),
      () => ({ method: 'POST', path: ':commit', body: '[]' }), () => ({ method: 'POST', path: ':nonsense', body: {} }), () => ({ method: 'PUT', path: '/a/x', body: {} }),
      () => ({ method: 'POST', path: ':commit', body: { writes: [{}] } }), () => ({ method: 'POST', path: ':commit', body: { transaction: 'AAAA' } }),
      () => filter('IN', one), () => filter('IN', { arrayValue: {} }), () => filter('IN', { arrayValue: { values: Array(31).fill(one) } }), () => filter('NOT_IN', { arrayValue: { values: Array(11).fill(one) } }),
      () => filter('EQUAL', one, 'a..b'), () => filter('EQUAL', one, '__name__'), () => filter('EQUAL', one, '__x__'), () => filter('EQUAL', one, '1x'), () => filter('NONSENSE', one), () => filter('EQUAL', {}),
      () => query({ limit: -1 }), () => query({ offset: -1 }), () => query({ orderBy: [{ field: { fieldPath: 'f' } }, { field: { fieldPath: 'f' } }] }),
      () => query({ orderBy: [{ field: { fieldPath: '__name__' } }, { field: { fieldPath: 'f' } }] }), () => query({ startAt: { values: [one] } }), () => query({ nonsense: 1 }),
      () => query({ select: { fields: [{ fieldPath: 'a..b' }] } }), () => query({ from: [{ collectionId: 'a' }, { collectionId: 'b' }] }), () => query({ from: [{ collectionId: 'a/b' }] }),
    ])();
  }
}
