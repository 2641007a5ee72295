#!/usr/bin/env node
// The command line. It begins here. A table (commands.js) has the arguments of each command; the folder commands/ has its work.

import { readFile } from 'node:fs/promises';

import { ShardlineError } from '../library/errors.js';
import { COMMANDS, commandNamed, findCommand, GROUPS } from './commands.js';
import { complete, COMPLETE } from './completion.js';
import { Context } from './context.js';
import { commandLine, helpOf, listOf, readArguments, UsageError, withFlags } from './options.js';
import { PROGRAM } from './program.js';
import { didYouMean } from './suggest.js';
import { Terminal } from './terminal.js';

/** Also in the help of every command. */
const DONE = 0;
const FAILED = 1;
const WRONG_USAGE = 2;
const INTERRUPTED = 130;

/**
 * @param {string[]} words Behind the name of the program.
 * @returns {Promise<number>} The exit code.
 */
async function main(words) {
  const terminal = new Terminal(process.stdout, process.stderr);
  if (words[0] === COMPLETE) {
    for (const candidate of complete(words.slice(1))) terminal.print(candidate.join('\t'));
    return DONE;
  }
  const { command, rest } = findCommand(words[0] === 'help' ? [...words.slice(1), '--help'] : words);
  if (!command) return showOverview(terminal, words);
  /** @type {Context | undefined} */
  let context;
  try {
    const given = readArguments(command, rest);
    if (given.help) {
      terminal.print(helpOf(command));
      return DONE;
    }
    context = new Context(command, given, terminal);
    const { run } = await command.load();
    return await run(context) ?? DONE;
  } catch (error) {
    if (context?.signal.aborted && isInterruption(error)) {
      terminal.complain(context.interruption(error));
      return context.refusal ? FAILED : INTERRUPTED;
    }
    return explain(terminal, command, error, context);
  } finally {
    context?.end();
  }
}

/** A failure after Ctrl-C for another reason must be reported. @param {unknown} error */
function isInterruption(error) {
  return error instanceof ShardlineError ? error.code === 'cancelled' : error instanceof Error && error.name === 'AbortError';
}

/**
 * @param {Terminal} terminal
 * @param {string[]} words That name no command.
 */
async function showOverview(terminal, words) {
  const isHelp = (/** @type {string} */ word) => ['--help', '-h', 'help'].includes(word);
  const [first, second] = words.filter((word) => !isHelp(word));
  if (first === undefined) {
    terminal.print(listOf(COMMANDS, 'COMMAND'));
  } else if (['--version', '-v'].includes(first)) {
    terminal.print(JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')).version);
  } else if (GROUPS.includes(first) && second === undefined) {
    terminal.print(listOf(COMMANDS.filter(({ name }) => name.startsWith(`${first} `)), `${first} COMMAND`));
  } else {
    const name = GROUPS.includes(first) || GROUPS.some((group) => didYouMean(first, [group])) ? [first, second].filter((word) => word !== undefined).join(' ') : first;
    const known = [...COMMANDS.map((each) => each.name), ...GROUPS, 'help', '--help', '--version'];
    terminal.complain(`There is no command “${name}”.${didYouMean(name, known)} ${PROGRAM} --help lists them.`);
    return WRONG_USAGE;
  }
  return DONE;
}

/**
 * Says in one line what went wrong.
 * @param {Terminal} terminal
 * @param {import('./options.js').Command} command
 * @param {unknown} error
 * @param {Context} [context]
 */
function explain(terminal, command, error, context) {
  if (error instanceof UsageError) {
    terminal.complain(`${error.message} (${PROGRAM} ${command.name} --help)`);
    return WRONG_USAGE;
  }
  const advice = context?.advice(error) ?? '';
  if (error instanceof ShardlineError) {
    const message = withCommands(command, withFlags(command, error), context);
    // Messages of servers may end without a full stop.
    terminal.complain(`${error.code}: ${message}${advice && /\w$/.test(message) ? '.' : ''}${advice}`);
    // A refusal by the server is not a typing error.
    return error.code === 'invalid-argument' && error.status === 0 ? WRONG_USAGE : FAILED;
  }
  terminal.complain(`${error instanceof Error ? error.message : error}${advice}`);
  return FAILED;
}

/**
 * A message in which the calls of the API are commands: “call create() first” is “run: shardline counter create posts/p1”.
 * @param {import('./options.js').Command} command
 * @param {string} message
 * @param {Context} [context]
 */
function withCommands(command, message, context) {
  const [group = ''] = command.name.split(' ');
  const named = (/** @type {string} */ call) => {
    const words = call.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    // In the group “stock”, putBack() is “stock put-back”, and stockRules() is “stock rules”.
    return [`${group} ${words}`, words.startsWith(`${group}-`) ? words.replace('-', ' ') : '', GROUPS.includes(group) ? '' : words].map(commandNamed).find(Boolean);
  };
  return message
    .replaceAll(/\b([Cc])all (\w+)\(\)( first)?/g, (text, letter, call, first = '') => {
      const other = named(call);
      return other ? `${letter === 'C' ? 'R' : 'r'}un${first} “${commandLine(other, context?.values ?? {})}”` : text;
    })
    .replaceAll(/\b(\w+)\(\)/g, (text, call) => named(call)?.name ?? text);
}

/** @param {Error} error */
function endUnread(error) {
  // The reader has closed the pipe: `shardline query … | head`.
  if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EPIPE') process.exit(DONE);
  new Terminal(process.stdout, process.stderr).complain(`The result cannot be written: ${error.message}.`);
  process.exit(FAILED);
}

process.stdout.on('error', endUnread);
// Work goes on without its messages, such as when the terminal is gone.
process.stderr.on('error', () => {});
const code = await main(process.argv.slice(2));
// Work that is still in flight, such as a request that no code awaits, must not keep the program.
process.stdout.write('', (error) => (error ? endUnread(error) : process.exit(code)));
