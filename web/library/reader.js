// The smallest of the WebAssembly modules, which is inside the JavaScript: it checks a counter's options, and writes the request for its total
// (src/counter/reader.h). The core checks them again after it has loaded.

import { fromPlain, invalidArgument, notAllowed, optionNotAllowed, ShardlineError, unknownOption } from './errors.js';
import { module } from './generated/reader_module.js';
import { toJson } from './json.js';

/**
 * @typedef {(texts: string[]) => any} Reader Asks the module.
 * @typedef {{path?: string, body?: string, layout: any}} TotalRequest
 */

const SEPARATOR = 0xff;
const MOST_SHOWN = 100;
const MAX_SHARDS = 10_000;
const DELIVERIES = ['exactly-once', 'at-least-once', 'transaction'];
const LAYOUT = ['shardCollection', 'countField', 'shardCountField', 'parent'];

/** @returns {Promise<Reader>} */
export async function startReader() {
  const bytes = Uint8Array.from(module, (character) => character.charCodeAt(0));
  const imports = { env: { emscripten_notify_memory_growth() {} }, wasi_snapshot_preview1: { proc_exit() {} } };
  const compiled = await WebAssembly.compile(bytes);
  /** @type {any} */
  let started;
  const start = () => {
    const { exports } = new WebAssembly.Instance(compiled, imports);
    /** @type {any} */ (exports)._initialize();
    return exports;
  };
  started = start();
  return (texts) => {
    try {
      return JSON.parse(ask(started, texts));
    } catch (cause) {
      // The state of a crashed module is unknown.
      started = start();
      throw new ShardlineError('resource-exhausted', 'There is no memory left for these arguments.', { reason: 'memory-full', cause });
    }
  };
}

/** @param {any} module @param {string[]} texts */
function ask({ allocate, read, answer, memory }, texts) {
  const encoder = new TextEncoder();
  const parts = texts.map((text) => encoder.encode(text));
  const size = parts.reduce((sum, part) => sum + part.length + 1, -1);
  let at = allocate(size);
  const bytes = new Uint8Array(memory.buffer);
  for (const [i, part] of parts.entries()) {
    if (i > 0) bytes[at++] = SEPARATOR;
    bytes.set(part, at);
    at += part.length;
  }
  const length = read();
  return new TextDecoder().decode(new Uint8Array(memory.buffer, answer(), length));
}

/**
 * The request for the total of a counter. Throws the core's error if the counter's options are wrong.
 * @param {Reader} read
 * @param {{projectId: string, databaseId: string}} database
 * @param {{counter: object, maxDelta?: unknown, publish?: unknown}} given
 * @returns {TotalRequest}
 */
export function requestFor(read, { projectId, databaseId }, given) {
  const { counter: { layout = 'web-sample', path, countField = '', shards, delivery, ...unknown }, maxDelta, publish } = JSON.parse(toJson({ arguments: given })).arguments;
  refuseUnknown('', unknown, ['layout', 'countField', 'shards', 'delivery']);
  checkText('path', path);
  checkText('countField', countField);
  if (shards !== undefined && !(Number.isInteger(shards) && shards >= 1 && shards <= MAX_SHARDS)) refuse('shards', 'an integer from 1 to 10,000', shards);
  if (delivery !== undefined && !DELIVERIES.includes(delivery)) refuse('delivery', '\'exactly-once\', \'at-least-once\' or \'transaction\'', delivery);
  const { name, field, collection, shardCount } = takeLayout(layout);
  if (field === undefined && countField !== '' && name !== 'extension') throw optionNotAllowed('countField', 'left out: the layout says it, unless that is \'extension\'');
  const amount = maxDelta && Number(maxDelta.integerValue ?? maxDelta.doubleValue);
  if (maxDelta && !(amount > 0)) refuse('maxDelta', 'a positive number', maxDelta);
  const optional = [name, field ?? countField, collection, shardCount, publish];
  checkText('layout', name ?? '');
  checkText('publish', publish ?? '');
  const answer = read([projectId, databaseId, path, ...optional.map((text, i) => (i === 1 ? text : typeof text === 'string' ? `+${text}` : ''))]);
  if (answer.error) throw fromPlain(answer.error);
  return answer;
}

/** @param {any} layout */
function takeLayout(layout) {
  if (typeof layout === 'string') return { name: layout };
  if (layout === null || typeof layout !== 'object' || Array.isArray(layout)) return refuse('layout', 'the name of a layout or an object', layout);
  const { shardCollection, countField, shardCountField = null, parent, ...unknown } = layout;
  refuseUnknown('layout.', unknown, LAYOUT);
  if (shardCollection !== null) checkText('layout.shardCollection', shardCollection);
  checkText('layout.countField', countField);
  if (shardCountField !== null) checkText('layout.shardCountField', shardCountField);
  if (parent !== undefined && typeof parent !== 'boolean') refuse('layout.parent', 'true or false', parent);
  if (countField === '') throw optionNotAllowed('layout.countField', 'given');
  if (parent !== undefined && parent !== (shardCountField !== null)) {
    throw optionNotAllowed('layout.parent', 'true with a shardCountField, which stands in the parent document, and false without one');
  }
  return { field: countField, collection: shardCollection, shardCount: shardCountField };
}

/** @param {string} name @param {unknown} value */
function checkText(name, value) {
  if (typeof value !== 'string') refuse(name, 'a string', value);
  else if (/\p{Surrogate}/u.test(value)) throw optionNotAllowed(name, 'well-formed Unicode text');
}

/**
 * @param {string} inside
 * @param {object} unknown
 * @param {string[]} known
 */
function refuseUnknown(inside, unknown, known) {
  for (const name of Object.keys(unknown)) {
    const names = `${known.slice(0, -1).join(', ')} and ${known.at(-1)}`;
    throw unknownOption(inside + name.slice(0, MOST_SHOWN), names, `There is no option \`${inside}${name.slice(0, MOST_SHOWN)}\` here, only ${names}.`);
  }
}

/**
 * @param {string} name @param {string} allowed @param {unknown} value
 * @returns {never}
 */
function refuse(name, allowed, value) {
  if (value === undefined) {
    throw invalidArgument(`\`${name}\` must be given: ${allowed}.`, { reason: 'argument-missing', params: { argument: name, allowed } });
  }
  const text = JSON.stringify(value);
  throw notAllowed(name, allowed, `\`${name}\` must be ${allowed}; got ${text.slice(0, MOST_SHOWN)}${text.length > MOST_SHOWN ? '…' : ''}.`);
}
