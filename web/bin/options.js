// Reads and checks a command line by the command's table, and explains the table by --help.

import { parseArgs } from 'node:util';

import { PROGRAM, quote } from './program.js';
import { didYouMean } from './suggest.js';

/**
 * @typedef {object} Argument
 * @property {string} name As in the API: `maxAgeMs`, which is `--max-age-ms` here.
 * @property {string} [short] Its one letter: `h`, which is `-h`.
 * @property {'text' | 'integer' | 'number' | 'amount' | 'amounts' | 'flag'} [type] Default `text`. `amount`: a number, or an integer of 64 bits. `amounts`: an
 *   amount, or amounts by field, whose value is their text: `love=2,like=-1`.
 * @property {string[]} [words] The words that it accepts.
 * @property {[least: number, most: number]} [range]
 * @property {string | number | boolean} [usual] The default.
 * @property {string} [metavar] The placeholder of the value in the help: `N`.
 * @property {boolean} [many] Whether it may be given several times; its value is a list.
 * @property {boolean} [needed]
 * @property {boolean} [mayBeEmpty] Whether the empty string is a value.
 * @property {string} [inApi] Its name there, if it differs: `queries.limit`. Several may be parts of one.
 * @property {string} sentence What it does.
 *
 * @typedef {object} Command
 * @property {string} name `counter create`
 * @property {string} sentence What it does.
 * @property {Argument[]} [takes] The arguments behind its name, in this order.
 * @property {Argument[]} [options]
 * @property {boolean} [connects] Whether it also takes the options that name a database.
 * @property {string} [more] Further help.
 * @property {() => Promise<{run: (context: import('./context.js').Context) => Promise<number | void>}>} load Loads its code. It is loaded when it is
 *   called, so that the others start faster.
 *
 * @typedef {{values: Record<string, any>, help: boolean}} Given
 */

/** The command line is not as the command's table says. */
export class UsageError extends Error {}

/** @type {Argument[]} */
const EVERYWHERE = [
  { name: 'json', type: 'flag', sentence: 'Prints one JSON result on each line.' },
  { name: 'help', short: 'h', type: 'flag', sentence: 'Prints this help.' },
];

/** @type {Argument[]} */
const DATABASE = [
  { name: 'project', sentence: 'The id of your project. Default: GOOGLE_CLOUD_PROJECT.' },
  { name: 'database', usual: '(default)', sentence: 'The id of your database.' },
  { name: 'host', sentence: 'The address of your emulator: 127.0.0.1:8080, or https://HOST. Default: FIRESTORE_EMULATOR_HOST, otherwise Firestore itself.' },
  { name: 'token', sentence: 'Your OAuth token or Firebase ID token. Other users of this machine can see it in the list of processes, so prefer '
    + 'GOOGLE_OAUTH_ACCESS_TOKEN, which only https://*.googleapis.com gets. Every other host gets “owner”, unless you give a token here.' },
];

const EXIT_CODES = `Exit codes: 0 done; 1 failed; 2 wrong usage; 130 interrupted.`;

/** @param {Command} command @returns {Argument[]} */
export function optionsOf({ options = [], connects }) {
  return [...options, ...(connects ? DATABASE : []), ...EVERYWHERE];
}

/**
 * @param {Command} command
 * @param {string[]} words Behind its name.
 * @returns {Given}
 */
export function readArguments(command, words) {
  const options = optionsOf(command);
  const { values, positionals } = parse(options, words);
  if (values.help) return { values: {}, help: true };
  const takes = command.takes ?? [];
  if (positionals.length > takes.length) throw new UsageError(`“${positionals[takes.length]}” is one argument too many.`);
  /** @type {Record<string, any>} */
  const given = {};
  takes.forEach((argument, i) => put(given, argument, positionals[i], argument.name.toUpperCase()));
  for (const option of options) put(given, option, values[flagOf(option)], `--${flagOf(option)}`);
  return { values: given, help: false };
}

/**
 * @param {Argument[]} options
 * @param {string[]} words
 */
function parse(options, words) {
  try {
    // Negative numbers begin as options do.
    const { values, positionals, tokens } = parseArgs({
      args: words.map((word) => (/^-[\d.]/.test(word) ? `${NO_OPTION}${word}` : word)),
      options: Object.fromEntries(options.map((option) => [flagOf(option), {
        type: option.type === 'flag' ? 'boolean' : 'string', multiple: option.many === true, ...(option.short ? { short: option.short } : {}),
      }])),
      allowPositionals: true,
      tokens: true,
    });
    refuseRepeated(options, tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])));
    return {
      values: /** @type {Record<string, any>} */ (Object.fromEntries(Object.entries(values).map(([flag, value]) => [flag, asWritten(value)]))),
      positionals: positionals.map(asWritten),
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message: text } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
      const option = /'(-+[^']*)'/.exec(text)?.[1] ?? '';
      throw new UsageError(`There is no option ${option}.${didYouMean(option, options.map((each) => `--${flagOf(each)}`))}`);
    }
    const [message = ''] = text.split('. ');
    throw new UsageError(message.endsWith('.') ? message : `${message}.`);
  }
}

/** Stands in front of a word that is no option. No word of a command line holds it. */
const NO_OPTION = '\0';

/**
 * @template T
 * @param {T} value
 * @returns {T}
 */
function asWritten(value) {
  if (Array.isArray(value)) return /** @type {T} */ (value.map(asWritten));
  return typeof value === 'string' && value.startsWith(NO_OPTION) ? /** @type {T} */ (value.slice(NO_OPTION.length)) : value;
}

/**
 * Refuses a flag that is given twice: the command would obey the last one and ignore the others.
 * @param {Argument[]} options
 * @param {string[]} flags As often as they are given.
 */
function refuseRepeated(options, flags) {
  for (const option of options) {
    const times = flags.filter((flag) => flag === flagOf(option)).length;
    if (times > 1 && !option.many && option.type !== 'flag') {
      throw new UsageError(`--${flagOf(option)} takes one value; it is given ${times} times.`);
    }
  }
}

/**
 * @param {Record<string, any>} given
 * @param {Argument} argument
 * @param {string | string[] | boolean | undefined} written
 * @param {string} place Its name in messages.
 */
function put(given, argument, written, place) {
  if (written === undefined) {
    if (argument.needed) throw new UsageError(`${place} is missing: ${argument.sentence}`);
    if (argument.usual !== undefined) given[argument.name] = argument.usual;
  } else if (Array.isArray(written)) {
    given[argument.name] = written.map((each) => read(argument, each, place));
  } else {
    given[argument.name] = typeof written === 'boolean' ? written : read(argument, written, place);
  }
}

/**
 * @param {Argument} argument
 * @param {string} text
 * @param {string} place
 */
function read(argument, text, place) {
  const { type = 'text', words, range } = argument;
  // An empty variable of a script must not mean another server, another token or all documents.
  if (text === '' && type === 'text' && !argument.mayBeEmpty) throw new UsageError(`${place} is empty. Give it a value${argument.needed ? '' : ', or leave it out'}.`);
  if (words && !words.includes(text)) throw new UsageError(`${place} must be ${listed(words, 'or')}; it is “${text}”.${didYouMean(text, words)}`);
  if (type === 'text' || (type === 'amounts' && text.includes('='))) return text;
  const isInteger = /^-?\d+$/.test(text);
  const value = Number(text);
  if (type.startsWith('amount') && isInteger && !Number.isSafeInteger(value)) return BigInt(text);
  const isIn = !range || (value >= range[0] && value <= range[1]);
  if (text.trim() === '' || !Number.isFinite(value) || (type === 'integer' && !Number.isSafeInteger(value)) || !isIn) {
    const kind = type === 'integer' ? 'an integer' : 'a number';
    throw new UsageError(`${place} must be ${kind}${range ? ` ${rangeText(range)}` : ''}; it is “${text}”.`);
  }
  return value;
}

/**
 * Reads amounts by field, an argument of the type `amounts`.
 * @param {string} text `love=2,like=-1`
 * @param {string} place Its name in messages.
 */
export function readAmounts(text, place) {
  /** @type {Map<string, number | bigint>} */
  const amounts = new Map();
  for (const part of text.split(',')) {
    const [, field, amount] = /^(\w+)=(.*)$/.exec(part) ?? [];
    if (field === undefined || amount === undefined || amounts.has(field)) {
      throw new UsageError(`${place} must be one amount for each field, such as love=2,like=-1; it is “${text}”.`);
    }
    amounts.set(field, /** @type {number | bigint} */ (read({ name: field, type: 'amount', sentence: '' }, amount, `${place}: ${field}`)));
  }
  return Object.fromEntries(amounts);
}

/**
 * How to use a command, made from its table.
 * @param {Command} command
 */
export function helpOf(command) {
  const { name, sentence, takes = [], more } = command;
  const usage = takes.map(({ name: each, needed }) => (needed ? each.toUpperCase() : `[${each.toUpperCase()}]`));
  return [
    wrap(['Usage:', PROGRAM, name, ...usage, '[options]'].join(' '), ''),
    wrap(sentence, ''),
    ...(takes.length > 0 ? [takes.map((argument) => entry(argument.name.toUpperCase(), argument)).join('\n')] : []),
    `Options:\n${optionsOf(command).map((option) => entry(`${option.short ? `-${option.short}, ` : ''}--${flagOf(option)}${metavar(option)}`, option)).join('\n')}`,
    ...(more ? [more] : []),
    EXIT_CODES,
  ].join('\n\n');
}

/**
 * The command line that gives a command these arguments, except a token, which is a secret. An option that is needed, and has no value, gets its placeholder.
 * @param {Command} command
 * @param {Record<string, any>} values By name.
 */
export function commandLine(command, values) {
  const words = command.name.split(' ');
  for (const { name, usual } of command.takes ?? []) if (values[name] !== undefined && values[name] !== usual) words.push(String(values[name]));
  for (const option of optionsOf(command)) {
    const value = values[option.name] ?? (option.needed ? metavar(option).trim() : undefined);
    if (value === undefined || value === option.usual || option.name === 'token') continue;
    for (const each of [value].flat()) words.push(option.type === 'flag' ? `--${flagOf(option)}` : `--${flagOf(option)}=${each}`);
  }
  return [PROGRAM, ...words.map(quote)].join(' ');
}

/**
 * A message of the library in the words of the command line: an option's flag for its name in the API, and a command for a call.
 * @param {Command} command
 * @param {{message: string, params?: Record<string, unknown>}} error
 */
export function withFlags(command, { message, params }) {
  /** @type {Map<string, string[]>} */
  const flags = new Map();
  for (const { name, inApi = name } of command.takes ?? []) flags.set(inApi, [name.toUpperCase()]);
  for (const option of optionsOf(command)) {
    const { name, inApi = name } = option;
    flags.set(inApi, [...flags.get(inApi) ?? [], `--${flagOf(option)}`]);
  }
  // A word in the middle of a sentence is only a word, unless no sentence has such a one or the error is about it.
  const isName = (/** @type {string} */ word) => /[A-Z.]/.test(word.slice(1)) || word === params?.argument;
  const given = (/** @type {string} */ members, /** @type {string} */ group) => members.split(', ').map((member) => {
    const [name = '', value] = member.split(': ');
    const [flag] = flags.get(`${group}.${name}`) ?? [];
    return flag && `${flag}=${value}`;
  });
  return message
    .replaceAll(/`(\w+)`, such as \{(.*?)\}/g, (text, group, members) => (given(members, group).every(Boolean) ? given(members, group).join(' ') : text))
    .replaceAll(/`([\w.]+)`|(?<![\w./“-])[a-z][\w]*(?:\.\w+)*(?![\w“(-])/g, (word, quoted) => (
      (quoted || isName(word) ? flags.get(quoted ?? word)?.join(' and ') : undefined) ?? word))
    .replaceAll(/(--[\w-]+): '([\w-]+)'/g, '$1=$2');
}

/**
 * The list of all commands.
 * @param {Command[]} commands
 * @param {string} usage
 */
export function listOf(commands, usage) {
  return [
    `Usage: ${PROGRAM} ${usage} [options]`,
    commands.map(({ name, sentence }) => wrap(sentence, `  ${name.padEnd(18)}`)).join('\n'),
    wrap(`${PROGRAM} help COMMAND says more of each. ${EXIT_CODES}`, ''),
  ].join('\n\n');
}

/**
 * @param {string} head
 * @param {Argument} argument
 */
function entry(head, { sentence, words, range, usual, many }) {
  const facts = [
    ...(words ? [listed(words, 'or')] : []),
    ...(range ? [rangeText(range)] : []),
    ...(usual === undefined ? [] : [`default ${usual}`]),
    ...(many ? ['may be given several times'] : []),
  ];
  const text = facts.length > 0 ? `${sentence} (${facts.join('; ')})` : sentence;
  return head.length > 22 ? `  ${head}\n${wrap(text, ' '.repeat(26))}` : wrap(text, `  ${head.padEnd(24)}`);
}

/** @param {Argument} argument */
export function flagOf({ name }) {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** @param {Argument} argument */
function metavar({ type = 'text', metavar: written, name }) {
  if (type === 'flag') return '';
  return ` ${written ?? (type === 'text' ? (name.replace(/.*([A-Z])/, '$1')).toUpperCase() : 'N')}`;
}

/** @param {[number, number]} range */
function rangeText([least, most]) {
  const text = (/** @type {number} */ value) => value.toLocaleString('en-US');
  return most === Infinity ? `from ${text(least)} on` : `from ${text(least)} to ${text(most)}`;
}

/**
 * @param {string[]} words
 * @param {string} last
 */
function listed(words, last) {
  return words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}

/**
 * @param {string} text
 * @param {string} head Of the first line; the others are indented as far.
 */
function wrap(text, head) {
  const WIDTH = 80;
  let line = head;
  const lines = [];
  for (const word of text.split(' ')) {
    if (line.length + word.length + (line.endsWith(' ') ? 0 : 1) > WIDTH && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = ' '.repeat(head.length);
    }
    line += line === '' || line.endsWith(' ') ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}
