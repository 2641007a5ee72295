// Measures the words that people read. README.md, the guides and the command line's help have targets; comments of the library name the
// actor of each sentence. Fails when a target is missed.
//
//   node scripts/words.js           the figures, and each forbidden word with its place
//   node scripts/words.js --each    the figures of each text as well, and its longest sentences

import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { COMMANDS } from '../web/bin/commands.js';
import { optionsOf } from '../web/bin/options.js';
import { CLAUSE, FORBIDDEN } from './forbidden_words.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const each = process.argv.includes('--each');

/** @typedef {{ place: string, text: string, fragment: boolean }} Part A paragraph, an item of a list, a cell (a fragment), an option's help. */

/** @param {string} text @returns {string} The words alone: `code` is one word, a link is its words. */
const spoken = (text) => text.replace(/`[^`]*`/g, 'code').replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/<https?:[^>]*>/g, 'address')
  .replace(/https?:\S+/g, 'address').replace(/<[^>]*>/g, ' ').replace(/[*_|“”]/g, ' ');

/** @param {string} path @returns {Part[]} */
function partsOfPage(path) {
  /** @type {Part[]} */
  const parts = [];
  let open = false;
  let fenced = false;
  readFileSync(root + path, 'utf8').split('\n').forEach((line, at) => {
    const place = `${path}:${at + 1}`;
    if (/^\s*```/.test(line)) [fenced, open] = [!fenced, false];
    else if (fenced || !line.trim() || /^\|[-| ]*$/.test(line)) open = false;
    else if (line.startsWith('|')) {
      for (const text of line.split(/(?<!\\)\|/)) parts.push({ place, text, fragment: true });
      open = false;
    } else if (line.startsWith('#')) {
      parts.push({ place, text: line.replace(/^#+/, ''), fragment: true });
      open = false;
    } else if (open && !/^\s*([-*]|\d+\.) /.test(line)) {
      const last = /** @type {Part} */ (parts.at(-1));
      last.text += `\n${line}`;
    } else {
      parts.push({ place, text: line.replace(/^\s*([-*>]|\d+\.) /, ''), fragment: false });
      open = true;
    }
  });
  return parts;
}

/** @returns {Part[]} */
function partsOfHelp() {
  /** @type {Set<string>} */
  const seen = new Set();
  return COMMANDS.flatMap((command) => [
    { place: command.name, text: command.sentence },
    { place: command.name, text: command.more ?? '' },
    ...[...command.takes ?? [], ...optionsOf(command)].map(({ name, sentence }) => ({ place: `${command.name} ${name}`, text: sentence })),
  ]).filter(({ text }) => !seen.has(text) && seen.add(text)).map(({ place, text }) => ({ place: `help: ${place}`, text, fragment: false }));
}

const SENTENCE_END = /(?<=[.!?][)”"’]*)\s+(?=\S)/;
const NEGATION = /\b(not|no|never|none|nothing|nobody|neither|nor|cannot|\w+n[’']t)\b/gi;
const TARGETS = { sentence: 17, what: 2, negations: 8, you: 15 };

/** @param {string} text @param {RegExp} pattern */
const count = (text, pattern) => text.match(pattern)?.length ?? 0;
/** @param {string} text */
const words = (text) => count(text, /[\p{L}\p{N}][\p{L}\p{N}’'%.,-]*/gu);

/** @param {Part[]} parts */
function measure(parts) {
  const sum = { words: 0, prose: 0, sentences: 0, what: 0, negations: 0, you: 0 };
  /** @type {string[]} */
  const forbidden = [];
  /** @type {{ length: number, place: string, text: string }[]} */
  const sentences = [];
  for (const { place, text, fragment } of parts) {
    const plain = spoken(text);
    sum.words += words(plain);
    sum.what += count(plain, CLAUSE);
    sum.negations += count(plain, NEGATION);
    sum.you += count(plain, /\byou(r|rs|rself)?\b/gi);
    for (const pattern of FORBIDDEN) for (const word of plain.replace(/\s+/g, ' ').match(pattern) ?? []) forbidden.push(`${place}: “${word}”`);
    if (fragment) continue;
    for (const sentence of plain.split(SENTENCE_END)) {
      const length = words(sentence);
      if (!length) continue;
      sum.prose += length;
      sum.sentences += 1;
      sentences.push({ length, place, text: sentence.replace(/\s+/g, ' ') });
    }
  }
  const perThousand = (/** @type {number} */ found) => (found * 1000) / sum.words;
  return {
    words: sum.words, sentence: sum.prose / Math.max(1, sum.sentences), what: perThousand(sum.what), negations: perThousand(sum.negations),
    you: perThousand(sum.you), forbidden, sentences,
  };
}

/** @param {string} name @param {ReturnType<typeof measure>} found */
function print(name, { words: all, sentence, what, negations, you, forbidden }) {
  console.log(`${name.padEnd(42)}${String(all).padStart(6)} words${[sentence, what, negations, you].map((n) => n.toFixed(1).padStart(7)).join('')}${
    String(forbidden.length).padStart(5)}`);
}

/** @param {string} folder @returns {string[]} */
const filesOf = (folder) => readdirSync(root + folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(h|cc|js|ts|css)$/.test(entry.name) && !/[/\\](generated|node_modules)$/.test(entry.parentPath))
  .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`);

/** @param {string} path @returns {{ place: string, sentence: string }[]} The sentences of its comments. */
function commentsOf(path) {
  /** @type {{ place: string, text: string }[]} */
  const comments = [];
  let last = -1;
  let inside = false;
  readFileSync(root + path, 'utf8').split('\n').forEach((line, at) => {
    const slashes = /(?:^|\s)\/\/+<?\s*(.*)$/.exec(line);
    const starred = /^\s*\/\*+\s*(.*)$/.exec(line) ?? (inside ? /^\s*\*?\s*(.*)$/.exec(line) : null);
    const inline = starred ? null : /\/\*\*\s(.*?)\*\//.exec(line);
    if (starred) inside = !line.includes('*/');
    const found = starred ?? inline ?? slashes;
    if (!found) return;
    const alone = /^\s*(\/\/|\/\*|\*)/.test(line);
    const text = (found[1] ?? '').replace(/\*\/.*$/, '').replace(/^@(\w+)\s*(\{.*?\}(?=\s|$))?\s*(\[?[\w.=' ]+\]?)?\s?/, (tag, name) => (
      /^(returns?|throws|type|typedef)$/.test(name) ? tag.replace(/^@\w+\s*(\{.*?\}(?=\s|$))?/, '') : ''));
    const tagged = (found[1] ?? '').startsWith('@');
    if (alone && last === at - 1 && !tagged && !/^\s*\/\*/.test(line) && comments.length) {
      const open = /** @type {{ place: string, text: string }} */ (comments.at(-1));
      open.text += ` ${text}`;
    } else comments.push({ place: `${path}:${at + 1}`, text });
    last = alone ? at : -1;
  });
  return comments.flatMap(({ place, text }) => text.split(/(?<=[.!?])\s+/).map((sentence) => ({ place, sentence: sentence.trim() })));
}

/** Each entry of the limits is short: a consequence, its condition, a remedy. */
const LONGEST_LIMIT = 40;
const longLimits = partsOfPage('web/guides/limits.md').filter(({ text }, at) => at > 1 && words(spoken(text)) > LONGEST_LIMIT);

let failed = false;
const pages = ['README.md', ...readdirSync(`${root}web/guides`).filter((name) => name.endsWith('.md')).map((name) => `web/guides/${name}`)];
const texts = [...pages.map((path) => ({ name: path, parts: partsOfPage(path) })), { name: 'help of the command line', parts: partsOfHelp() }];
console.log(`${''.padEnd(48)}${['words a', 'what', 'negat.', 'you'].join('  ')} forbidden`);
for (const { name, parts } of each ? texts : []) {
  const found = measure(parts);
  print(name, found);
  for (const { length, place, text } of found.sentences.filter((one) => one.length > 26)) console.log(`    ${length} ${place} ${text}`);
}
const total = measure(texts.flatMap(({ parts }) => parts));
print('README, guides and help', total);
print('target', { ...TARGETS, words: 0, forbidden: [], sentences: [] });
failed ||= total.sentence > TARGETS.sentence || total.what > TARGETS.what || total.negations > TARGETS.negations || total.you < TARGETS.you;
const headless = ['src', 'wasm', 'web/library', 'web/bin', 'web/tutorial'].flatMap(filesOf).flatMap(commentsOf)
  .filter(({ sentence }) => /^(What|Whoever|Of|So)\b|\b(somebody|nobody|anew|likewise|but for)\b/i.test(sentence));
console.log(`sentences of comments without an actor (What…, Whoever…, Of…, So…; somebody, nobody, anew, likewise, but for): ${headless.length}`);
for (const word of total.forbidden) console.log(word);
for (const { place, sentence } of headless) console.log(`${place}: ${sentence}`);
for (const { place, text } of longLimits) console.log(`${place}: more than ${LONGEST_LIMIT} words: ${text.slice(0, 60)}…`);
process.exitCode = failed || total.forbidden.length || headless.length || longLimits.length ? 1 : 0;
