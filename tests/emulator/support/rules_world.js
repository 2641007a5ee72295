/**
 * Counters under the rules of counterRules(), on Google's emulator: one emulator for all, one project for each set of rules.
 */
import { connect } from 'shardline';
import { isLong } from '../../support/run.js';
import { freshProject } from './database.js';
import { RestClient, userToken } from './rest.js';

/** @typedef {import('shardline/workbench').CounterRulesOptions} CounterRulesOptions */
/** @typedef {'public' | 'signed-in' | 'one-like' | 'one-vote'} Access */

export const ADMIN = 'request.auth.token.admin == true';
export const DAY_MS = 86_400_000;

/**
 * A layout to be tested: the places and the documents of its counters.
 * @typedef {object} LayoutCase
 * @property {CounterRulesOptions['layout']} layout
 * @property {string} path  for the rules
 * @property {string} counter  a path that they match
 * @property {string} other  another one
 * @property {string | null} shards  the collection below the counter, or null if the counter is the collection
 * @property {string} own  the own document, from the counter's path on
 * @property {string} field
 * @property {string} [shardCountField]
 */

/** @type {Record<string, LayoutCase>} */
export const LAYOUTS = {
  web: { layout: 'web-sample', path: 'posts/{post}', counter: 'posts/p1', other: 'posts/p2', shards: 'shards', own: 'shardline/shards.count', field: 'count', shardCountField: 'num_shards' },
  mobile: { layout: 'mobile-sample', path: 'posts/{entry}', counter: 'posts/p1', other: 'posts/p2', shards: 'shards', own: 'shardline/shards.count', field: 'count', shardCountField: 'numShards' },
  node: { layout: 'node-sample', path: 'a-b/{b}/c.d/{client}', counter: 'a-b/1/c.d/2', other: 'a-b/1/c.d/3', shards: 'shards', own: 'shardline/shards.count', field: 'count' },
  go: { layout: 'go-sample', path: 'posts/{shard}', counter: 'posts/p1', other: 'posts/p2', shards: 'shards', own: 'shardline/shards.Count', field: 'Count' },
  php: { layout: 'php-sample', path: 'samples/{language}/distributedCounters', counter: 'samples/php/distributedCounters', other: 'samples/ph/distributedCounters', shards: null, own: 'shardline/shardline/Cnt', field: 'Cnt' },
  ruby: { layout: 'ruby-sample', path: 'likes', counter: 'likes', other: 'dislikes', shards: null, own: 'shardline/shardline/count', field: 'count' },
  collection: { layout: 'collection', path: '{any}', counter: 'counterShards', other: 'otherShards', shards: null, own: 'shardline/shardline/count', field: 'count' },
  own: {
    layout: { shardCollection: 'parts_of.a-b', countField: 'size', shardCountField: 'keys' }, path: 'x/{path}', counter: 'x/1', other: 'x/2',
    shards: 'parts_of.a-b', own: 'shardline/parts_of%2Ea-b.size', field: 'size', shardCountField: 'keys',
  },
};

/** For tests that take long in each: in the default run one of shards below a document, one of shards in a collection, and one with names of its own. */
export const LAYOUTS_OF_RUN = Object.entries(LAYOUTS).filter(([name]) => isLong || ['web', 'ruby', 'own'].includes(name));

/** A marker that is there. */
export const USED = `shardline_markers/${'U'.repeat(20)}`;

/**
 * Puts rules into a project of its own.
 * @param {string} url  of the emulator
 * @param {string} text
 * @returns {Promise<{projectId: string, problem: string, warnings: string}>}  What the compiler refuses, and warns of; empty for nothing
 */
export async function loadRules(url, text) {
  const projectId = freshProject();
  const { status, json } = await new RestClient({ url, projectId }).send('PUT', `/emulator/v1/projects/${projectId}:securityRules`, {
    rules: { files: [{ name: 'firestore.rules', content: text }] },
  });
  const issues = (json?.issues ?? []).map((/** @type {any} */ issue) => issue.description);
  return { projectId, problem: status === 200 ? '' : json?.error?.message ?? `HTTP ${status}`, warnings: issues.join('\n') };
}

/** One counter under rules, and its users. */
export class RulesWorld {
  #markers;

  /**
   * @param {string} url
   * @param {LayoutCase} place
   * @param {Access} access
   * @param {string} projectId
   * @param {Partial<CounterRulesOptions>} [options]  of the rules
   */
  constructor(url, place, access, projectId, { maxDelta = 1, fractions = false, missingShards = 'made' } = {}) {
    this.url = url;
    this.place = place;
    this.access = access;
    this.projectId = projectId;
    this.limit = maxDelta;
    this.hasFractions = fractions || !Number.isInteger(maxDelta);
    this.makesShards = missingShards === 'made';
    /** Whether attacks are as large as documents and commits can be. They cost the emulator a second and more. */
    this.isLarge = false;
    this.#markers = 0;
    this.owner = new RestClient({ url, projectId });
    this.anyone = this.rest(null);
  }

  /** @param {string | null} token */
  rest(token) {
    return new RestClient({ url: this.url, projectId: this.projectId, token });
  }

  /** @param {string} uid @param {object} [claims] */
  token(uid, claims = {}) {
    return userToken(uid, { projectId: this.projectId, ...claims });
  }

  /** One who may count: for public counters nobody in particular. @param {string} uid */
  counting(uid) {
    return this.rest(this.access === 'public' ? null : this.token(uid));
  }

  /** The library. @param {string | null} token */
  open(token) {
    return connect({
      projectId: this.projectId, host: this.url, storage: 'memory', retry: { initialDelayMs: 50 },
      authToken: token === null ? undefined : () => token,
    });
  }

  longText() {
    return text('x'.repeat(this.isLarge ? 900_000 : 2_000));
  }

  /** @param {string} id @param {string} [counter] */
  shard(id, counter = this.place.counter) {
    return `${counter}/${this.place.shards === null ? '' : `${this.place.shards}/`}${id}`;
  }

  /** A marker that does not exist yet. */
  newMarker() {
    this.#markers += 1;
    return `shardline_markers/${String(this.#markers).padStart(20, 'M')}`;
  }

  get total() {
    return `${this.place.counter}/${this.place.own}/shardline_totals/shared`;
  }

  /** Three shards that hold 7, 3 and 0, of at most four, and a marker of another user. */
  async reset() {
    await this.owner.deleteAll();
    const { field, counter, shardCountField } = this.place;
    await this.owner.commit([
      ...(shardCountField ? [this.put(counter, { [shardCountField]: integer(3) })] : []),
      ...[7, 3, 0].map((count, index) => this.put(this.shard(String(index)), { [field]: integer(count) })),
      this.putMarker(USED),
    ]);
  }

  /** All that there is. */
  async everything() {
    const { counter } = this.place;
    const inCounter = counter.split('/').length % 2 === 0;
    const collections = [
      inCounter ? this.shard('x').slice(0, -2) : counter, 'shardline_markers', this.total.slice(0, -'/shared'.length),
      ...(inCounter ? [counter.slice(0, counter.lastIndexOf('/'))] : []),
    ];
    const lists = await Promise.all(collections.map((collection) => this.owner.list(collection)));
    return lists.flat().map(({ name, fields }) => ({ name, fields }));
  }

  /** @param {string} path @param {Record<string, object | undefined>} fields */
  put(path, fields) {
    return { update: { name: this.owner.name(path), fields } };
  }

  /** Creates a marker. @param {string} path @param {Record<string, object | undefined>} [changes]  undefined leaves out */
  putMarker(path, changes = {}) {
    const fields = { applied: { booleanValue: true }, expireAt: inDays(45), ...changes };
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    return { ...this.put(path, Object.fromEntries(given)), currentDocument: { exists: false } };
  }

  /** @param {string} path */
  remove(path) {
    return { delete: this.owner.name(path) };
  }

  /** @param {string} path @param {object} transform such as `{increment: integer(1)}` */
  transform(path, transform, field = this.place.field) {
    return { update: { name: this.owner.name(path) }, updateMask: { fieldPaths: [] }, updateTransforms: [{ fieldPath: field, ...transform }] };
  }

  /** @param {string} id @param {number | object} [by] @param {string} [counter] */
  increment(id, by = 1, counter = this.place.counter) {
    return this.transform(this.shard(id, counter), { increment: typeof by === 'number' ? integer(by) : by });
  }
}

/** @param {number} value */
export const integer = (value) => ({ integerValue: String(value) });
/** @param {number | string} value */
export const double = (value) => ({ doubleValue: value });
/** @param {string} value */
export const text = (value) => ({ stringValue: value });
/** @param {...object} values */
export const list = (...values) => ({ arrayValue: { values } });
/** @param {number} days */
export const inDays = (days) => ({ timestampValue: new Date(Date.now() + days * DAY_MS).toISOString() });
