/**
 * What somebody with a REST client may try on a counter. Most attacks are an honest commit with one thing changed, so that it is
 * that thing for which rules must refuse them.
 */
import { double, inDays, integer, list, text } from './rules_world.js';

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
  const attacks = [
    ...onShards(world), ...onShardIds(world), ...onLedgerFields(world), ...onLedgers(world), ...onWholeCommits(world), ...onTheRest(world),
  ];
  if (world.access === 'one-vote') attacks.push(...onVotes(world));
  else attacks.push(...onLaterLedgers(world));
  if (world.access !== 'public') attacks.push(...onUsers(world));
  return attacks.filter(({ isHonest }) => !isHonest);
}

/** A shard changed otherwise than by a fair increment, without a ledger and with one that agrees. */
function onShards(/** @type {RulesWorld} */ world) {
  const { field } = world.place;
  const shard = world.shard('0');
  // A fraction by itself is honest if nobody has to sign for it.
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
  const withLedger = (/** @type {number} */ by, /** @type {number} */ delta) => ({
    what: `add ${by} as a double, with a ledger of ${delta}`, isHonest: by === delta && by !== 0 && isFair(by),
    writes: [world.putLedger(world.client('ann'), { delta: double(delta) }), world.increment('0', double(by))],
  });
  /** @type {Attack[]} */
  const attacks = changes.flatMap(([what, write, by = NaN]) => [
    { what, writes: [write], isHonest: world.access === 'public' && isFair(by) },
    { what: `${what}, with a ledger of 1`, writes: [world.putLedger(world.client('ann')), write], isHonest: by === 1 && isFair(by) },
  ]);
  return attacks.concat([
    { what: 'add twice 1', writes: [world.increment('0'), world.increment('0')] },
    { what: 'add twice 1, with a ledger of 1', writes: [world.putLedger(world.client('ann')), world.increment('0'), world.increment('0')] },
    { what: 'add 2, with a ledger of 2', writes: [world.putLedger(world.client('ann'), { delta: integer(2) }), world.increment('0', 2)] },
    ...[0.5, 1, 0, 1.3].map((by) => withLedger(by, by)), withLedger(0.5, 0.25), withLedger(0.25, 0.5), withLedger(0.5, -0.5), withLedger(0.3, 0.3000001),
    { what: 'delete it and make it anew', writes: [world.remove(shard), world.put(shard, { [field]: integer(1000) })] },
  ]);
}

function onShardIds(/** @type {RulesWorld} */ world) {
  const ids = ['4', '9999', '10000', '00', '01', '-1', '+1', '1.0', '1e0', ' 1', 'x', 'shardline', '٣', '9'.repeat(400), 'count'];
  const attacks = ids.flatMap((id) => [
    { what: `make a shard ${id}`, writes: [world.increment(id)] },
    { what: `make a shard ${id}, with a ledger`, writes: [world.putLedger(world.client('ann'), { shard: text(id) }), world.increment(id)] },
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
      { what: 'make a shard that is missing, with a ledger', writes: [world.putLedger(world.client('ann'), { shard: text('3') }), world.increment('3')] },
    );
  }
  if (world.place.shardCountField) {
    const { other, own } = world.place;
    const ledger = world.put(world.ledger(world.client('ann'), other), world.entry());
    attacks.push(
      { what: 'count in a counter that is not there', writes: [world.increment('0', 1, other)] },
      { what: 'count in a counter that is not there, with a ledger', writes: [ledger, world.increment('0', 1, other)] },
      { what: 'make the counter that is not there', writes: [world.put(other, { [world.place.shardCountField]: integer(3) }), ledger, world.increment('0', 1, other)] },
      { what: 'write the own document', writes: [world.put(`${world.place.counter}/${own}`, { x: integer(1) })] },
    );
  }
  return attacks;
}

/** The honest commit, with one field of its ledger changed. */
function onLedgerFields(/** @type {RulesWorld} */ world) {
  const honest = world.entry();
  /** @type {[string, Record<string, object | undefined>][]} */
  const changes = [];
  const fits = new Map([['seq', ['integer']], ['delta', world.hasFractions ? ['integer', 'double'] : ['integer']]]);
  for (const field of Object.keys(honest)) {
    changes.push([`without ${field}`, { [field]: undefined }]);
    for (const [type, value] of Object.entries(valuesIn(world))) {
      if (!fits.get(field)?.includes(type)) changes.push([`with ${type} as ${field}`, { [field]: value }]);
    }
  }
  const id = 'C'.repeat(20);
  const ids = (/** @type {number} */ count) => list(...Array.from({ length: count }, (_, index) => text(String(index).padStart(20, 'D'))));
  for (const [what, batches] of /** @type {[string, object][]} */ ([
    ['21 batches', ids(21)], ['400 batches', ids(400)], ['a batch too short', list(text(id.slice(1)))], ['a batch too long', list(text(`${id}C`))],
    ['a batch with a comma', list(text(`${'C'.repeat(19)},`))], ['two batches in one', list(text(`${id},${id}`))], ['a batch that is long', list(world.longText())],
    ['batches that are long', list(...Array.from({ length: 20 }, () => text('y'.repeat(world.isLarge ? 45_000 : 100))))], ['a batch of another kind', list(integer(1))],
    ['a batch with a line end', list(text(`${'C'.repeat(19)}\n`))], ['one batch too much of a kind', list(text(id), integer(1))], ['a null batch', list({ nullValue: null })],
    ['a map as a batch', list({ mapValue: { fields: { a: world.longText() } } })], ['shifted commas', list(text(`${'C'.repeat(19)}`), text(`C,${'C'.repeat(19)}`))],
  ])) changes.push([`with ${what}`, { batches }]);
  for (const seq of [0, 2, 7, -1, 2 ** 52]) changes.push([`with seq ${seq}`, { seq: integer(seq) }]);
  for (const shard of ['1', '2', '3', '4', '00', '-1', 'x', '../0', '0/x/0', '$(shard)', '0\n']) changes.push([`with shard ${shard}`, { shard: text(shard) }]);
  for (const delta of [0, -1, 2, -2, 1000]) changes.push([`with delta ${delta}`, { delta: integer(delta) }]);
  for (const delta of [0.5, 1.0000001, -1]) changes.push([`with the double ${delta} as delta`, { delta: double(delta) }]);
  for (const field of ['x', 'batch', 'expires', 'count']) changes.push([`with ${field} besides`, { [field]: integer(1) }]);
  changes.push(['with a long text besides', { x: world.longText() }]);
  if (world.access === 'one-vote') {
    changes.push(['with an expiry', { expireAt: inDays(45) }]);
  } else {
    for (const days of [-1, 0, 1, 20, 27.9, 62.1, 100, 36_500]) changes.push([`that expires in ${days} days`, { expireAt: inDays(days) }]);
    for (const time of ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) changes.push([`that expires in ${time}`, { expireAt: { timestampValue: time } }]);
  }
  return changes.map(([what, change]) => ({
    what: `count with a ledger ${what}`,
    writes: [world.putLedger(world.client('ann'), change), world.increment('0')],
  }));
}

/** Ledgers that go with no increment, with another one, or with each other. */
function onLedgers(/** @type {RulesWorld} */ world) {
  const ann = world.client('ann');
  const manyLedgers = (/** @type {number} */ count, /** @type {object} */ changes = {}) => Array.from({ length: count }, (_, index) => (
    world.putLedger(`${index}`.padStart(20, 'L'), changes)));
  const attacks = [
    { what: 'write a ledger of 1 alone', writes: [world.putLedger(ann)] },
    { what: 'write a ledger of 0 alone', writes: [world.putLedger(ann, { delta: integer(0) })] },
    { what: 'write a ledger of 0 with an increment of 0', writes: [world.putLedger(ann, { delta: integer(0) }), world.increment('0', 0)] },
    { what: 'write a ledger of the double 0', writes: [world.putLedger(ann, { delta: double(0) })] },
    { what: 'write a ledger of 0 for a shard that is not there', writes: [world.putLedger(ann, { delta: integer(0), shard: text('3') })] },
    { what: 'write many ledgers for none', writes: manyLedgers(world.isLarge ? 60 : 3) },
    { what: 'write many ledgers of 0', writes: manyLedgers(world.isLarge ? 60 : 3, { delta: integer(0) }) },
    { what: 'write ledgers without number for one increment', writes: [...manyLedgers(world.isLarge ? 400 : 30), world.increment('0')] },
    { what: 'write 21 ledgers for one increment', writes: [...manyLedgers(21), world.increment('0')] },
    { what: 'write 21 ledgers for three increments', writes: [
      ...['0', '1', '2'].flatMap((shard) => manyLedgers(21, { shard: text(shard) }).slice(Number(shard) * 7, Number(shard) * 7 + 7)),
      ...['0', '1', '2'].map((shard) => world.increment(shard))] },
    { what: 'write a ledger for another counter’s increment', writes: [world.putLedger(ann), world.increment('0', 1, world.place.other)] },
    { what: 'write a ledger and delete the shard', writes: [world.putLedger(ann), world.remove(world.shard('0'))] },
    { what: 'write a ledger’s subcollection', writes: [world.put(`${world.ledger(ann)}/x/y`, world.entry()), world.increment('0')] },
    { what: 'delete a ledger', writes: [world.remove(world.ledger(world.client('ben')))] },
    { what: 'delete a ledger and count', writes: [world.remove(world.ledger(world.client('ben'))), world.increment('0')] },
  ];
  for (const name of world.access === 'public' ? ['me', 'a'.repeat(19), 'a'.repeat(21), `${'a'.repeat(19)}-`, 'a'.repeat(1400), `${'é'.repeat(20)}`, '.a'] : ['bob', 'Ann', 'ann ', 'a'.repeat(1400), 'A'.repeat(20)]) {
    attacks.push({ what: `write a ledger called ${name}`, writes: [world.putLedger(name), world.increment('0')] });
  }
  return attacks;
}

/** What is fair write by write, and too much in all. */
function onWholeCommits(/** @type {RulesWorld} */ world) {
  if (world.access === 'public') return [];
  const ann = world.putLedger(world.client('ann'));
  const shards = ['0', '1', '2', '3'];
  return [
    { what: 'count without a ledger', writes: [world.increment('0')] },
    { what: 'count down without a ledger', writes: [world.increment('0', -1)] },
    { what: 'count on each shard without a ledger', writes: shards.map((shard) => world.increment(shard)) },
    { what: 'count on each shard with one ledger', writes: [ann, ...shards.map((shard) => world.increment(shard))] },
    { what: 'count on two shards', writes: [ann, world.increment('0'), world.increment('1')] },
    { what: 'move from one shard to another', writes: [ann, world.increment('0'), world.increment('1', -1)] },
    { what: 'count on each shard with ledgers of others', writes: [ann, ...shards.map((shard) => world.increment(shard)),
      ...['bob', 'cid', 'dan'].map((user, index) => world.putLedger(user, { shard: text(String(index + 1)) }))] },
    { what: 'write the ledger twice', writes: [ann, world.putLedger('ann', { shard: text('1'), seq: integer(2) }), world.increment('0'), world.increment('1')] },
  ];
}

/** A ledger that is there: ben's, of 5 batches. */
function onLaterLedgers(/** @type {RulesWorld} */ world) {
  const ben = world.client('ben');
  const later = { seq: integer(6), batches: list(text('B'.repeat(20)), text('C'.repeat(20))) };
  const as = world.counting('ben');
  /** @type {[string, object[]][]} */
  const commits = [
    ['begin again', [world.putLedger(ben, { ...later, seq: integer(1) }), world.increment('0')]],
    ['stay', [world.putLedger(ben, { ...later, seq: integer(5) }), world.increment('0')]],
    ['skip', [world.putLedger(ben, { ...later, seq: integer(7) }), world.increment('0')]],
    ['go back', [world.putLedger(ben, { ...later, seq: integer(4) }), world.increment('0')]],
    ['repeat a batch', [world.putLedger(ben, { ...later, batches: list(text('B'.repeat(20))) }), world.increment('0')]],
    ['repeat a batch at the end', [world.putLedger(ben, { ...later, batches: list(text('C'.repeat(20)), text('B'.repeat(20))) }), world.increment('0')]],
    ['expire earlier', [world.putLedger(ben, { ...later, expireAt: inDays(44) }), world.increment('0')]],
    ['count elsewhere', [world.putLedger(ben, later), world.increment('1')]],
    ['count not at all', [world.putLedger(ben, later)]],
    ['count twice as much', [world.putLedger(ben, later), world.increment('0', 2)]],
    ['change one field', [{ ...world.put(world.ledger(ben), { delta: integer(-1) }), updateMask: { fieldPaths: ['delta'] } }, world.increment('0', -1)]],
    ['remove a field', [{ ...world.put(world.ledger(ben), { seq: integer(6) }), updateMask: { fieldPaths: ['seq', 'expireAt'] } }, world.increment('0')]],
    ['be moved by a transform', [world.transform(world.ledger(ben), { increment: integer(1) }, 'seq'), world.increment('0')]],
  ];
  return commits.map(([what, writes]) => ({ what: `let a ledger ${what}`, writes, as }));
}

/** Votes that have been given: ben's. */
function onVotes(/** @type {RulesWorld} */ world) {
  const as = world.counting('ben');
  const later = { seq: integer(6), batches: list(text('C'.repeat(20))) };
  const { counter, own } = world.place;
  /** @type {[string, object[]][]} */
  const commits = [
    ['again', [world.putLedger('ben'), world.increment('0')]],
    ['a second time', [world.putLedger('ben', later), world.increment('0')]],
    ['a second time as the sixth', [world.putLedger('ben', { ...later, seq: integer(6) }), world.increment('0')]],
    ['without the vote', [world.increment('0')]],
    ['for another shard', [world.putLedger('ben', { shard: text('1') }), world.increment('1')]],
    ['back', [world.putLedger('ben', { delta: integer(-1) }), world.increment('0', -1)]],
    ['after deleting it', [world.remove(world.ledger('ben')), world.putLedger('ben'), world.increment('0')]],
    ['with one that expires', [world.putLedger('ben', { expireAt: inDays(45) }), world.increment('0')]],
    ['in a ledger', [world.put(`${counter}/${own}/shardline_ledger/ben`, { ...world.entry(), expireAt: inDays(45) }), world.increment('0')]],
    ['one field at a time', [{ ...world.put(world.ledger('ben'), { delta: integer(-1) }), updateMask: { fieldPaths: ['delta'] } }, world.increment('1', -1)]],
  ];
  return commits.map(([what, writes]) => ({ what: `vote ${what}`, writes, as }));
}

/** As nobody, and in the name of others. */
function onUsers(/** @type {RulesWorld} */ world) {
  const honest = [world.putLedger(world.client('ann')), world.increment('0')];
  return [
    { what: 'count as nobody', writes: honest, as: world.anyone },
    { what: 'count as nobody without a ledger', writes: [world.increment('0')], as: world.anyone },
    { what: 'count in the name of another', writes: honest, as: world.rest(world.token('eve')) },
    { what: 'count as a user of no name', writes: honest, as: world.rest(world.token('')) },
    { what: 'count as a user with a path for a name', writes: [world.increment('0')], as: world.rest(world.token('ann/x/y')) },
    { what: 'count as a user called null', writes: honest, as: world.rest(world.token('null')) },
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
      { what: 'count, and resize', writes: [world.putLedger(world.client('ann')), world.increment('0'), world.put(counter, { [field]: integer(4) })] },
    );
  }
  return attacks;
}
