/** counterRules() with any options: it throws a typed error, or Google's emulator compiles its result. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ShardlineError } from 'shardline';
import { openWorkbench } from 'shardline/workbench';
import { inRun } from '../support/run.js';
import { openDatabase } from './support/database.js';
import { Random } from './support/random.js';
import { loadRules } from './support/rules_world.js';

const { counterRules, counterIndexes } = await openWorkbench();
const SEED = Number(process.env.SEED ?? 1);
const RUNS = inRun(60, 400);
/** At least this many sets of options must make rules. */
const COMPILED = inRun(15, 100);

/** @type {import('./support/database.js').Database} */
let emulator;
before(async () => {
  emulator = await openDatabase();
});
after(() => emulator.stop());

const WORDS = [
  'a', 'post', 'entry', 'shard', 'client', 'shardId', 'memberId', 'memberEntry', 'markerId', 'request', 'resource', 'database', 'math', 'duration', 'timestamp', 'hashing',
  'latlng', 'if', 'in', 'is', 'let', 'true', 'null', 'return', 'match', 'allow', 'function', 'service', 'get', 'exists', 'getAfter', 'path', 'int', 'string',
  'debug', 'not', 'var', 'for', 'while', 'import', 'package', 'rules_version', 'count', 'data', 'keys', 'size', 'isAdmin', 'isIncrement', 'countBefore', '_', '__x__', 'A1',
];
const IDS = [...WORDS, 'a-b', '-a', '1', '1.5', '.a', 'a.', 'a..b', '--', '...', '.', '..', '', ' ', 'a b', 'é', 'a%2Fb', '$(a)', "'", '"', '@path@', '{', '}', '{}', 'a=**', 'x'.repeat(600)];
const ADMINS = [
  'true', 'request.auth.token.admin == true', "request.auth.uid in ['a', 'b']", 'isAdmin()', 'isCounterAdmin()', 'isIncrement()', 'a.b', '', ' ', '(', ')', "'", '"', '//', '/* */', ';', '{', '}', '[', ']', '= ', '== ', '&& ', '|| ',
  '!', '-', '+', '/', '*', '%', '?', ':', ',', '.', '1', '1.5', '1e5', '.5', '5.', "'a'", '"b"', "'\\n'", "'\\x'", "'é'", 'is ', 'in ', 'is int', 'get(', 'exists(/databases/$(database)/documents/a/b)',
  '/a/b', '/a', '$(', '@admin@', '\n', '\t', '\0', 'let x = 1;', 'true', 'null', 'false', 'math.abs(1)', "['a']", "{'a': 1}", 'b', 'data', '0', '9'.repeat(30), 'x'.repeat(3000),
];
const FIELDS = [...WORDS, 'a.b', '`a`', '', 'é', '1a', "a'b", 'x'.repeat(600)];

/** @param {Random} random */
function randomOptions(random) {
  const collection = random.chance(0.3);
  const segment = () => (random.chance(0.7) ? `{${random.pick(WORDS)}}` : random.pick(IDS));
  const ids = Array.from({ length: random.between(0, 2) * 2 + (collection ? 1 : 2) }, (_, index) => (index % 2 === 1 ? segment() : random.chance(0.8) ? random.pick(['a', 'posts', 'x-y']) : segment()));
  const own = () => ({
    shardCollection: collection ? null : random.chance(0.6) ? 'shards' : random.pick(IDS), countField: random.pick(FIELDS),
    ...(random.chance(0.4) && { shardCountField: random.pick(FIELDS) }), ...(random.chance(0.1) && { parent: random.chance(0.5) }),
  });
  /** @type {Record<string, unknown>} */
  const options = { path: ids.join('/') };
  if (collection || random.chance(0.5)) options.layout = random.chance(0.5) ? own() : random.pick(collection ? ['php-sample', 'ruby-sample', 'collection'] : ['web-sample', 'mobile-sample', 'node-sample', 'go-sample', 'extension', 'none']);
  if (random.chance(0.3)) options.shards = random.pick([1, 10, 10_000, 0, 1.5, -1, '3', null]);
  if (random.chance(0.5)) options.maxDelta = random.pick([1, 5, 0.5, 1e-7, 1e-12, 1e-13, 1 / 3, Math.PI, 1e15, 2 ** 53 - 1, 1e300, 0, -1, '1', NaN, Infinity, 10n, 123456.789, 2 ** -30]);
  if (random.chance(0.3)) options.fractions = random.pick([true, false, 1]);
  if (random.chance(0.6)) options.access = random.pick(['public', 'signed-in', 'one-vote', 'one-like', 'all']);
  if (random.chance(0.2)) options.missingShards = random.pick(['made', 'refused', true]);
  if (random.chance(0.6)) options.admin = Array.from({ length: 1 + (random.chance(0.5) ? 0 : random.between(0, 5)) }, () => random.pick(ADMINS)).join(random.pick(['', ' ', ' && ']));
  return options;
}

test(`random options, seed ${SEED}`, async () => {
  const random = new Random(SEED);
  let compiled = 0;
  for (let run = 0; run < RUNS || compiled < COMPILED; ++run) {
    const options = randomOptions(random);
    let rules;
    try {
      rules = counterRules(/** @type {any} */ (options));
    } catch (error) {
      assert.ok(error instanceof ShardlineError && error.code === 'invalid-argument', `${error}`);
      assert.ok(error.message.length < 700, error.message);
      continue;
    }
    const { problem } = await loadRules(emulator.url, rules);
    assert.equal(problem, '', `${JSON.stringify(options)}\n${rules}`);
    compiled += 1;
  }
});

test('options that are no JSON are refused by a typed error', () => {
  const circular = {};
  Object.assign(circular, { circular });
  for (const make of [counterRules, counterIndexes]) {
    for (const options of [null, 7, 'a', [], circular, { path: 10n }, { path: circular }]) {
      assert.throws(() => make(/** @type {any} */ (options)), (error) => error instanceof ShardlineError && error.code === 'invalid-argument', `${options}`);
    }
  }
});

test('the index file names the TTL policy and the exemptions', () => {
  const { indexes, fieldOverrides } = JSON.parse(counterIndexes({ layout: 'go-sample', total: 'shards' }));
  assert.deepEqual(indexes, []);
  assert.deepEqual(fieldOverrides[0], { collectionGroup: 'shardline_markers', fieldPath: 'expireAt', ttl: true, indexes: [] });
  assert.deepEqual(fieldOverrides.at(-1), { collectionGroup: 'shards', fieldPath: 'Count', indexes: [] });
  assert.equal(JSON.parse(counterIndexes()).fieldOverrides.some((/** @type {any} */ each) => each.collectionGroup === 'shards'), false);
});
