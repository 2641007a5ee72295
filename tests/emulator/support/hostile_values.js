/** Values that no caller should pass: getters that throw, proxies, cycles, half characters, 10 MB of text. */
import assert from 'node:assert/strict';
import { ShardlineError } from '../../../web/library/errors.js';
import { Dice } from '../../simulation/outbox/dice.js';

export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
/** How many calls are made of each function. */
const CALLS = 40;
/** How long one may take, with 10 MB of text in it, on a machine that has other things to do. */
const PATIENCE_MS = 20_000;

const LONG = 'x'.repeat(10_000_000);
const thrower = () => { throw new RangeError('From a getter.'); };
const cycle = /** @type {any} */ ({ a: 1 });
cycle.self = cycle;
const ring = /** @type {any[]} */ ([]);
ring.push(ring);
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const traps = Object.fromEntries(['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor'].map((name) => [name, thrower]));

/** @type {[string, unknown][]} */
export const HOSTILE = [
  ['null', null], ['a symbol', Symbol('s')], ['a bigint', 1n], ['a huge bigint', 10n ** 400n], ['NaN', NaN], ['-0', -0], ['Infinity', Infinity],
  ['2^53', 2 ** 53], ['a fraction', 0.5], ['a negative', -1], ['true', true], ['no text', ''], ['half a character', 'a\ud800'], ['10 MB', LONG],
  ['a path that leads up', '../x'], ['a zero', '\0'], ['__proto__', '__proto__'], ['a function', () => 1], ['a class', class {}],
  ['an invalid date', new Date(NaN)], ['a cycle', cycle], ['a ring', ring], ['holes', new Array(3)], ['a regular expression', /x/],
  ['a getter that throws', Object.defineProperty({}, 'signal', { get: thrower, enumerable: true })],
  ['fields that throw', Object.defineProperty({}, 'timestamp', { get: thrower, enumerable: true })],
  ['an iterable that throws', { [Symbol.iterator]: thrower }],
  ['what cannot be text', { toString: thrower, valueOf: thrower, [Symbol.toPrimitive]: thrower }],
  ['toJSON() that throws', { toJSON: thrower }], ['no prototype', Object.create(null)], ['an own __proto__', JSON.parse('{"__proto__": {"shards": 3}}')],
  ['a proxy', new Proxy({}, traps)], ['a proxy of a function', new Proxy(() => 1, traps)], ['a proxy of a list', new Proxy([], traps)], ['a revoked proxy', revoked.proxy],
  ['a promise', Promise.resolve(1)], ['a map', new Map([['shards', 3]])], ['bytes', new Uint8Array(3)],
];

/** With one of the arguments, or a member of it, replaced. @param {Dice} dice @param {unknown[]} right @param {unknown} hostile */
function spoil(dice, right, hostile) {
  const at = dice.between(0, right.length - 1);
  const argument = /** @type {any} */ (right[at]);
  const isObject = argument?.constructor === Object && dice.chance(0.7);
  const name = isObject ? dice.pick(Object.keys(argument)) : undefined;
  const spoilt = name === undefined ? hostile : Object.defineProperty({ ...argument }, name, { value: hostile, enumerable: true });
  return { args: right.map((each, i) => (i === at ? spoilt : each)), where: name ?? `argument ${at + 1}`, name };
}

/** By which a message may name what is wrong: the option, the value itself, a member of it, or the document that it stands in. @param {string} name @param {any} hostile */
export function namesOf(name, hostile) {
  return [name, 'document', '__proto__', '`0`', '""', ...(typeof hostile === 'string' && hostile !== '' ? [hostile] : [])];
}

/** Calls of one function: what it is given, with one value that nobody should pass. @param {string} on @param {string} call @param {unknown[]} right */
export function* hostileCalls(on, call, right) {
  const dice = new Dice(seed + call.length + call.charCodeAt(0) * 1000);
  for (let i = 0; i < CALLS; i += 1) {
    const [what, hostile] = dice.pick(HOSTILE);
    const { args, where, name } = spoil(dice, right, hostile);
    yield { args, hostile, name, asked: `${on}.${call}() with ${what} as ${where} (SEED=${seed})` };
  }
}

/** By which typed error a call is refused; undefined if it takes what it is given. @param {string} asked @param {() => Promise<unknown>} action */
export async function refusalOf(asked, action) {
  const [outcome] = await Promise.allSettled([withTimeout(asked, action)]);
  if (outcome.status === 'fulfilled') return undefined;
  const error = outcome.reason;
  assert.ok(error instanceof ShardlineError, `${asked}: ${error?.stack}`);
  assert.ok(error.message.length <= 1000, `${asked}: a message of ${error.message.length}`);
  return error;
}

/** @param {string} what @param {() => Promise<unknown>} action */
function withTimeout(what, action) {
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} does not end.`)), PATIENCE_MS);
  });
  return Promise.race([action(), late]).finally(() => clearTimeout(timer));
}
