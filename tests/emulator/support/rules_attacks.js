/**
 * The attacks that a person with a REST client may try on a counter. Most are an honest commit with one change, so that the rules must refuse them
 * because of this change.
 */
import { double, inDays, integer, list, text, USED } from './rules_world.js';

/** @typedef {import('./rules_world.js').RulesWorld} RulesWorld */
/** @typedef {import('./rest.js').RestClient} RestClient */

/**
 * @typedef {object} Attack
 * @property {string} what
 * @property {object[]} writes
 * @property {boolean} [isHonest]  under the options of these rules: it is no attack there
 * @property {RestClient} [as]  by default whoever may count
 */

/** Of every type that there is. @param {RulesWorld} world @returns {Record<string, object>} */
const valuesIn = (world) => ({
  null: { nullValue: null }, boolean: { booleanValue: true }, integer: integer(1), 'large integer': integer(2 ** 52), double: double(1),
  NaN: double('NaN'), infinity: double('Infinity'), '-0': double(-0), time: { timestampValue: '2030-01-01T00:00:00Z' }, text: text('1'),
  'empty text': text(''), 'long text': world.longText(), bytes: { bytesValue: 'AAAA' }, point: { geoPointValue: { latitude: 1, longitude: 1 } },
  reference: { referenceValue: 'projects/demo/databases/(default)/documents/a/b' }, list: list(integer(1)), 'empty list': list(), map: { mapValue: { fields: { a: integer(1) } } },
});

/** @param {RulesWorld} world @returns {Attack[]} */
export function attacksOn(world) {
  const attacks = [...onShards(world), ...onShardIds(world), ...onMarkers(world), ...onTheRest(world)];
  if (world.access !== 'public') attacks.push(...onUsers(world));
  return attacks.filter(({ isHonest }) => !isHonest);
}

/** A shard changed otherwise than by a fair increment, without a marker and with one. */
function onShards(/** @type {RulesWorld} */ world) {
  const { field } = world.place;
  const shard = world.shard('0');
  const isFair = (/** @type {number} */ by) => world.hasFractions && Math.abs(by) <= world.limit;
  /** @type {[string, object, number?][]} the last one: by how much a count changes that may be a fraction */
  const changes = [
    ...[2, -2, 3, 1000, -7, 2 ** 52].map((by) => /** @type {[string, object]} */ ([`add ${by}`, world.increment('0', by)])),
    ...[0.5, -0.5, 1, 1.3, 1.5, 1e-9].map((by) => /** @type {[string, object, number]} */ ([`add ${by} as a double`, world.increment('0', double(by)), by])),
    ...[0, 5, 9, 1000].map((to) => /** @type {[string, object]} */ ([`set the count to ${to}`, world.put(shard, { [field]: integer(to) })])),
    ...[8, 7.5, 8.3].map((to) => /** @type {[string, object, number]} */ ([`set the count to the double ${to}`, world.put(shard, { [field]: double(to) }), to - 7])),
    ['make the same count a double', world.put(shard, { [field]: double(7) })],
    ...Object.entries(valuesIn(world)).map(([type, value]) => /** @type {[string, object]} */ ([`make the count ${type}`, world.put(shard, { [field]: value })])),
    ['raise it to a maximum', world.transform(shard, { maximum: integer(1000) })],
    ['lower it to a minimum', world.transform(shard, { minimum: integer(0) })],
    ['make it the time', world.transform(shard, { setToServerValue: 'REQUEST_TIME' })],
    ['make it a list', world.transform(shard, { appendMissingElements: { values: [integer(8)] } })],
    ['empty the shard', world.put(shard, {})],
    ['remove the count', { ...world.put(shard, {}), updateMask: { fieldPaths: [field] } }],
    ['put another field into it', world.put(shard, { [field]: integer(8), x: integer(1) })],
    ['put a long text into it', world.put(shard, { [field]: integer(8), x: world.longText() })],
    ['put another count into it', world.transform(shard, { increment: integer(1) }, 'other')],
    ['delete the shard', world.remove(shard)],
  ];
  /** @type {Attack[]} */
  const attacks = changes.flatMap(([what, write, by = NaN]) => [
    { what, writes: [write], isHonest: isFair(by) },
    { what: `${what}, with a marker`, writes: [world.putMarker(world.newMarker()), write], isHonest: isFair(by) },
  ]);
  return attacks.concat([
    { what: 'add twice 1', writes: [world.increment('0'), world.increment('0')] },
    { what: 'add twice 1, with two markers', writes: [
      world.putMarker(world.newMarker()), world.increment('0'), world.putMarker(world.newMarker()), world.increment('0')] },
    { what: 'add to a shard, and to one that there cannot be', writes: [world.increment('0'), world.increment('4')] },
    { what: 'delete it and make it again', writes: [world.remove(shard), world.put(shard, { [field]: integer(1000) })] },
  ]);
}

function onShardIds(/** @type {RulesWorld} */ world) {
  const ids = ['4', '9999', '10000', '00', '01', '-1', '+1', '1.0', '1e0', ' 1', 'x', 'shardline', '٣', '9'.repeat(400), 'count'];
  const attacks = ids.flatMap((id) => [
    { what: `make a shard ${id}`, writes: [world.increment(id)] },
    { what: `make a shard ${id}, with a marker`, writes: [world.putMarker(world.newMarker()), world.increment(id)] },
    { what: `make a shard ${id} that holds 0`, writes: [world.put(world.shard(id), { [world.place.field]: integer(0) })] },
  ]);
  attacks.push(
    { what: 'make a shard that holds 0', writes: [world.put(world.shard('3'), { [world.place.field]: integer(0) })] },
    { what: 'make a shard that holds 2', writes: [world.increment('3', 2)] },
    { what: 'make a shard that holds nothing', writes: [world.put(world.shard('3'), {})] },
    { what: 'write below a shard', writes: [world.increment('0/x/0')] },
    { what: 'write a document beside the counter', writes: [world.put('elsewhere/x', { count: integer(1) })] },
  );
  if (!world.makesShards) {
    attacks.push(
      { what: 'make a shard that is missing', writes: [world.increment('3')] },
      { what: 'make a shard that is missing, with a marker', writes: [world.putMarker(world.newMarker()), world.increment('3')] },
    );
  }
  if (world.place.shardCountField) {
    const { other, own } = world.place;
    const marker = world.putMarker(world.newMarker());
    attacks.push(
      { what: 'count in a counter that is not there', writes: [world.increment('0', 1, other)] },
      { what: 'count in a counter that is not there, with a marker', writes: [marker, world.increment('0', 1, other)] },
      { what: 'make the counter that is not there', writes: [world.put(other, { [world.place.shardCountField]: integer(3) }), marker, world.increment('0', 1, other)] },
      { what: 'write the own document', writes: [world.put(`${world.place.counter}/${own}`, { x: integer(1) })] },
    );
  }
  return attacks;
}

/** A document that is no marker, a marker that stays for ever, one that is there already, and one at another place. */
function onMarkers(/** @type {RulesWorld} */ world) {
  /** @type {[string, Record<string, object | undefined>][]} */
  const changes = [];
  const fits = new Map([['applied', ['boolean']], ['expireAt', ['time']]]);
  for (const field of ['applied', 'expireAt']) {
    changes.push([`without ${field}`, { [field]: undefined }]);
    for (const [type, value] of Object.entries(valuesIn(world))) {
      if (!fits.get(field)?.includes(type)) changes.push([`with ${type} as ${field}`, { [field]: value }]);
    }
  }
  for (const days of [-36_500, -1, 0, 1, 27.9, 400.1, 36_500]) changes.push([`that expires in ${days} days`, { expireAt: inDays(days) }]);
  for (const time of ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) changes.push([`that expires in ${time}`, { expireAt: { timestampValue: time } }]);
  for (const field of ['x', 'count', 'applied2']) changes.push([`with ${field} besides`, { [field]: integer(1) }]);
  changes.push(['with a long text besides', { x: world.longText() }], ['with another field in place of one', { expireAt: undefined, x: inDays(45) }], ['with nothing', { applied: undefined, expireAt: undefined }]);
  const counted = world.increment('0');
  /** @type {Attack[]} */
  const attacks = changes.map(([what, change]) => ({ what: `count with a marker ${what}`, writes: [world.putMarker(world.newMarker(), change), counted] }));
  for (const id of ['m', 'M'.repeat(19), 'M'.repeat(21), `${'M'.repeat(19)}-`, `${'M'.repeat(19)}é`, 'M'.repeat(1400), '.m']) {
    attacks.push({ what: `make a marker called ${id}`, writes: [world.putMarker(`shardline_markers/${id}`)] });
  }
  const again = world.putMarker(USED);
  const { currentDocument: _, ...overwrite } = again;
  const { currentDocument: __, ...withdrawn } = world.putMarker(USED, { applied: { booleanValue: false } });
  const { counter, own } = world.place;
  const id = 'E'.repeat(20);
  return attacks.concat([
    { what: 'write a marker again', writes: [overwrite, counted] },
    { what: 'create a marker again', writes: [again, counted] },
    { what: 'withdraw what was applied', writes: [withdrawn] },
    { what: 'let a marker expire', writes: [{ ...world.put(USED, { expireAt: inDays(1) }), updateMask: { fieldPaths: ['expireAt'] } }] },
    { what: 'let a marker stay', writes: [{ ...world.put(USED, { expireAt: inDays(399) }), updateMask: { fieldPaths: ['expireAt'] } }] },
    { what: 'empty a marker', writes: [world.put(USED, {})] },
    { what: 'change a marker by a transform', writes: [world.transform(USED, { setToServerValue: 'REQUEST_TIME' }, 'expireAt')] },
    { what: 'delete a marker', writes: [world.remove(USED)] },
    { what: 'delete a marker, and count', writes: [world.remove(USED), counted] },
    { what: 'delete a marker, and write it again', writes: [world.remove(USED), overwrite, counted] },
    { what: 'write below a marker', writes: [world.putMarker(`${world.newMarker()}/more/1`)] },
    { what: 'make a marker below the counter', writes: [world.putMarker(`${counter}/${own}/shardline_markers/${id}`)] },
    { what: 'make a marker in another collection', writes: [world.putMarker(`shardline_others/${id}`)] },
    { what: 'remember a key', writes: [world.putMarker(`${counter}/${own}/shardline_keys/${id}`, { change: text(id) }), counted] },
    { what: 'become a member', writes: [world.put(`${counter}/${own}/shardline_members/ann`, { delta: integer(1), shard: text('0'), change: text(id), before: text('') }), counted] },
  ]);
}

/** Without a user, if users count. */
function onUsers(/** @type {RulesWorld} */ world) {
  return [
    { what: 'count as nobody', writes: [world.putMarker(world.newMarker()), world.increment('0')], as: world.anyone },
    { what: 'count as nobody without a marker', writes: [world.increment('0')], as: world.anyone },
    { what: 'make a marker as nobody', writes: [world.putMarker(world.newMarker())], as: world.anyone },
  ];
}

function onTheRest(/** @type {RulesWorld} */ world) {
  const { counter, shards, shardCountField } = world.place;
  const attacks = [
    { what: 'write the shared total', writes: [world.put(world.total, { value: integer(9) })] },
    { what: 'delete the shared total', writes: [world.remove(world.total)] },
    { what: 'write into another place below the counter', writes: [world.put(`${world.shard('shardline')}/x/y`, { value: integer(9) })] },
  ];
  if (shards !== null) {
    const field = shardCountField ?? 'x';
    for (const value of [1, 2, 100]) attacks.push({ what: `make the number of shards ${value}`, writes: [world.put(counter, { [field]: integer(value) })] });
    attacks.push(
      { what: 'delete the counter’s document', writes: [world.remove(counter)] },
      { what: 'write another field of it', writes: [{ ...world.put(counter, { y: integer(1) }), updateMask: { fieldPaths: ['y'] } }] },
      { what: 'count, and resize', writes: [world.putMarker(world.newMarker()), world.increment('0'), world.put(counter, { [field]: integer(4) })] },
    );
  }
  return attacks;
}
