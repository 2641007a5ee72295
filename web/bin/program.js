// How this program was called, so that the commands that it prints can be pasted as they are.

import { delimiter, dirname, isAbsolute, relative } from 'node:path';

/** By the beginning of `npm_config_user_agent`, which says who has started the program. */
const RUNNERS = [['pnpm', 'pnpm exec shardline'], ['yarn', 'yarn shardline'], ['bun', 'bunx shardline'], ['npm', 'npx shardline']];

/**
 * @param {string} script As Node was given it.
 * @param {Record<string, string | undefined>} env
 * @param {string} folder In which the shell is.
 */
export function programName(script, env, folder) {
  const [, byRunner] = RUNNERS.find(([agent = '']) => env.npm_config_user_agent?.startsWith(`${agent}/`)) ?? [];
  if (byRunner) return byRunner;
  if ((env.PATH ?? '').split(delimiter).includes(dirname(script))) return 'shardline';
  const below = relative(folder, script);
  const place = quote(below.startsWith('..') || isAbsolute(below) ? script : below);
  return /\.m?js$/.test(script) ? `node ${place}` : place.replace(/^(?![/'])/, './');
}

/** As a shell takes it. @param {string} word */
export function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export const PROGRAM = programName(process.argv[1] ?? 'shardline', process.env, process.cwd());
