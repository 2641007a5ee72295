/**
 * Seeded randomness and Firestore values in REST wire format, weighted towards the values that break programs.
 * The same seed gives the same values on every machine.
 */

/** A small generator (a 32-bit counter through a mixing function): fast, and good enough to choose test data. */
export class Random {
  #state;

  /** @param {number} seed any integer */
  constructor(seed) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** An unsigned 32-bit integer. */
  uint32() {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }

  /** In [0, 1). */
  unit() {
    return this.uint32() / 2 ** 32;
  }

  /** An integer in [low, high], both included. @param {number} low @param {number} high */
  between(low, high) {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** @param {number} probability */
  chance(probability) {
    return this.unit() < probability;
  }

  /** @template T @param {readonly T[]} items @returns {T} */
  pick(items) {
    return items[this.between(0, items.length - 1)];
  }

  /** A shuffled copy. @template T @param {readonly T[]} items @returns {T[]} */
  shuffle(items) {
    const copy = [...items];
    for (let last = copy.length - 1; last > 0; last -= 1) {
      const other = this.between(0, last);
      [copy[last], copy[other]] = [copy[other], copy[last]];
    }
    return copy;
  }

  /** 64 random bits as a signed integer. */
  int64() {
    return BigInt.asIntN(64, (BigInt(this.uint32()) << 32n) | BigInt(this.uint32()));
  }

  /** A generator of its own: the draws of one part do not shift those of another. */
  fork() {
    return new Random(this.uint32());
  }
}

export const EDGE_INTEGERS = [
  '0', '1', '-1', '2147483647', '2147483648', '-2147483649', '4294967296',
  '9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740991', '-9007199254740993',
  '9223372036854774784', '9223372036854775806', '9223372036854775807', '-9223372036854775808',
];

/**
 * As `doubleValue` holds them: numbers, or the three strings that JSON numbers cannot say. `-0` is lost by
 * JSON.stringify, so a body that must hold it is written by hand as `-0.0`.
 */
export const EDGE_DOUBLES = [
  'NaN', 'Infinity', '-Infinity', 0, -0, 0.5, -0.5, 1, -1, 0.1, 1e-7, 1e21, 5e-324, 2.2250738585072014e-308,
  1.7976931348623157e308, -1.7976931348623157e308, 9007199254740991, 9007199254740992, 9007199254740994,
  -9007199254740992, 2 ** 63, -(2 ** 63), 123456789.012345,
];

/** Seconds alone, milliseconds, microseconds, both ends of the range, both sides of 1970, a leap day. */
export const EDGE_TIMESTAMPS = [
  '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000001Z', '1582-10-15T00:00:00Z', '1969-12-31T23:59:59.999999Z',
  '1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000001Z', '2000-02-29T12:00:00.5Z', '2024-02-29T23:59:59.999Z',
  '2024-06-01T10:20:30.123Z', '2024-06-01T10:20:30.123400Z', '2024-06-01T10:20:30.123456Z',
  '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.999999Z',
];

/**
 * U+FFFD and U+1F600 sort one way by UTF-8 bytes (Firestore) and the other way by UTF-16 units (JavaScript's `<`).
 * Lengths 14 to 17 with an escape near the end meet the border of a 16-byte lane.
 */
export const EDGE_STRINGS = [
  '', ' ', 'a', 'A', 'aa', 'ab', 'b', '0', '10', '2', 'null', '"', '\\', '\\"', '/', '\n', '\r\n\t', '\b\f', '\u0000', '\u001f',
  '\u007f', '\u2028\u2029', 'é', 'e\u0301', 'ß', '日本語', 'نص', '\ufffd', '\uffff', '\ue000', '😀', '\u{10ffff}', '👩‍👩‍👧‍👦',
  '{"a":[1]}', ']}', ',', ':', '`quoted`', 'x.y', '__id7__', 'abcdefghijklm"', 'abcdefghijklmn"', 'abcdefghijklmno"',
  'abcdefghijklmn\\', 'abcdefghijklmno\\', 'abcdefghijklmnop\\', 'a'.repeat(31), 'a'.repeat(64), `${'é'.repeat(40)}"`,
];

export const EDGE_BYTES = ['', 'AA==', 'AAA=', '/w==', '//8=', '+/+/', 'AP8=', 'aGVsbG8=', 'gA=='];

export const EDGE_FIELD_NAMES = [
  'a', 'A', 'count', 'timestamp', 'shard', 'price', 'x.y', 'with space', 'é', '😀', 'back`tick', 'back\\slash', 'quote"d', '0', 'name', 'fields',
  'mapValue', 'createTime', 'document', 'readTime',
];

/** The texts that may be between the slashes of a name; `__id<n>__` are the numeric ids, which sort before all others. */
export const EDGE_DOCUMENT_IDS = [
  'a', 'A', 'b', 'aa', '0', '10', '2', '__id7__', '__id10__', '__id-3__', '__id9223372036854775807__', 'é', '\ufffd', '😀', 'x y', 'x"y', "x'y",
  'x\\y', 'x%2Fy', 'x+y', 'x?y', 'x#y', '日本', '~', '_', '-', '...',
];

export const VALUE_KINDS = [
  'nullValue', 'booleanValue', 'integerValue', 'doubleValue', 'timestampValue', 'stringValue', 'bytesValue', 'referenceValue', 'geoPointValue',
  'arrayValue', 'vector', 'mapValue',
];

const EDGE_SHARE = 0.5;

/** Makes Firestore values; see `ValueOptions` for what bounds them. */
export class ValueGenerator {
  /**
   * @typedef {object} ValueOptions
   * @property {string} [database]  for references: `projects/p/databases/(default)`
   * @property {readonly string[]} [kinds]  of VALUE_KINDS
   * @property {number} [maxDepth]  of maps and arrays within each other
   *
   * @param {Random} random @param {ValueOptions} [options]
   */
  constructor(random, { database = 'projects/demo/databases/(default)', kinds = VALUE_KINDS, maxDepth = 3 } = {}) {
    this.random = random;
    this.database = database;
    this.kinds = kinds;
    this.maxDepth = maxDepth;
  }

  /** Any value. @returns {Record<string, any>} */
  value(depth = 0, { inArray = false } = {}) {
    let kinds = this.kinds;
    if (depth >= this.maxDepth) kinds = kinds.filter((kind) => kind !== 'arrayValue' && kind !== 'mapValue');
    // Firestore refuses an array directly within an array, and vectors there too.
    if (inArray) kinds = kinds.filter((kind) => kind !== 'arrayValue' && kind !== 'vector');
    return this.ofKind(this.random.pick(kinds.length ? kinds : ['nullValue']), depth);
  }

  /** @param {string} kind one of VALUE_KINDS @returns {Record<string, any>} */
  ofKind(kind, depth = 0) {
    switch (kind) {
      case 'nullValue': return { nullValue: null };
      case 'booleanValue': return { booleanValue: this.random.chance(0.5) };
      case 'integerValue': return { integerValue: this.integer() };
      case 'doubleValue': return { doubleValue: this.double() };
      case 'timestampValue': return { timestampValue: this.timestamp() };
      case 'stringValue': return { stringValue: this.string() };
      case 'bytesValue': return { bytesValue: this.bytes() };
      case 'referenceValue': return { referenceValue: this.reference() };
      case 'geoPointValue': return { geoPointValue: this.geoPoint() };
      case 'arrayValue': return { arrayValue: this.array(depth) };
      case 'vector': return this.vector();
      case 'mapValue': return { mapValue: { fields: this.fields(depth + 1) } };
      default: throw new Error(`no such kind of value: ${kind}`);
    }
  }

  /** The fields of a document or a map. @returns {Record<string, any>} */
  fields(depth = 0, count = this.random.between(0, depth === 0 ? 8 : 3)) {
    const fields = {};
    for (let made = 0; made < count; made += 1) fields[this.fieldName()] = this.value(depth);
    return fields;
  }

  integer() {
    return this.#edgeOr(EDGE_INTEGERS, () =>
      this.random.chance(0.5) ? String(this.random.between(-1000, 1000)) : String(this.random.int64()));
  }

  double() {
    return this.#edgeOr(EDGE_DOUBLES, () =>
      this.random.chance(0.5)
        ? this.random.between(-1000, 1000) / 8
        : (this.random.unit() - 0.5) * 10 ** this.random.between(-300, 300));
  }

  timestamp() {
    return this.#edgeOr(EDGE_TIMESTAMPS, () => {
      const year = String(this.random.between(1, 9999)).padStart(4, '0');
      const two = (low, high) => String(this.random.between(low, high)).padStart(2, '0');
      const micros = String(this.random.between(0, 999_999)).padStart(6, '0');
      const fraction = this.random.pick(['', `.${micros.slice(0, 3)}`, `.${micros}`]);
      return `${year}-${two(1, 12)}-${two(1, 28)}T${two(0, 23)}:${two(0, 59)}:${two(0, 59)}${fraction}Z`;
    });
  }

  string() {
    return this.#edgeOr(EDGE_STRINGS, () => {
      let text = '';
      for (let left = this.random.between(0, 40); left > 0; left -= 1) text += this.#character();
      return text;
    });
  }

  bytes() {
    return this.#edgeOr(EDGE_BYTES, () =>
      Buffer.from(Array.from({ length: this.random.between(0, 40) }, () => this.random.between(0, 255))).toString('base64'));
  }

  /** The full name of a document that need not exist. */
  reference() {
    const path = [`c${this.random.between(0, 2)}`, this.documentId()];
    if (this.random.chance(0.3)) path.push('sub', this.documentId());
    return `${this.database}/documents/${path.join('/')}`;
  }

  documentId() {
    return this.#edgeOr(EDGE_DOCUMENT_IDS, () => this.random.uint32().toString(36));
  }

  fieldName() {
    return this.#edgeOr(EDGE_FIELD_NAMES, () => `f${this.random.between(0, 20)}`);
  }

  geoPoint() {
    const latitude = this.random.pick([-90, 90, 0, 0.1, this.random.between(-8999, 8999) / 100]);
    const longitude = this.random.pick([-180, 180, 0, -0.1, this.random.between(-17999, 17999) / 100]);
    return { latitude, longitude };
  }

  array(depth = 0) {
    const length = this.random.between(0, 4);
    // Firestore's own answers leave `values` out when there are none; both are legal in a request.
    if (length === 0) return this.random.chance(0.5) ? {} : { values: [] };
    return { values: Array.from({ length }, () => this.value(depth + 1, { inArray: true })) };
  }

  /** A vector is a map with a reserved key. */
  vector() {
    const values = Array.from({ length: this.random.between(1, 5) }, () => ({ doubleValue: this.random.between(-16, 16) / 4 }));
    return { mapValue: { fields: { __type__: { stringValue: '__vector__' }, value: { arrayValue: { values } } } } };
  }

  #character() {
    const [low, high] = this.random.pick([[0x20, 0x7e], [0x20, 0x7e], [0x22, 0x22], [0x5c, 0x5c], [0x00, 0x1f], [0xa0, 0x24f], [0x4e00, 0x4eff],
      [0xe000, 0xffff], [0x1f600, 0x1f64f]]);
    return String.fromCodePoint(this.random.between(low, high));
  }

  #edgeOr(edges, draw) {
    return this.random.chance(EDGE_SHARE) ? this.random.pick(edges) : draw();
  }
}
