// firestore.rules.

import { writeFile } from 'node:fs/promises';

import { openWorkbench } from '../../library/workbench.js';
import { UsageError, withFlags } from '../options.js';
import { readText } from '../text_file.js';

/** @param {import('../context.js').Context} context */
export async function run(context) {
  const { values: { into, write }, command, terminal } = context;
  const { counterRules, joinCounterRules } = await openWorkbench();
  const options = /** @type {import('../../library/workbench.js').CounterRulesOptions} */ (
    context.pick('path', 'layout', 'shards', 'maxDelta', 'fractions', 'access', 'missingShards', 'parent', 'admin'));
  if (into === undefined) {
    if (write) throw new UsageError('--into is missing: the file that --write changes.');
    const text = counterRules(options);
    context.answer({ text }, text);
    return;
  }
  const result = joinCounterRules(await readIfThere(into), options);
  for (const { line, why, todo } of result.findings) terminal.note(`${into}:${line}: ${withFlags(command, { message: `${why} ${todo}` })}`);
  const writes = write && into !== '-';
  if (writes) await writeFile(into, result.text);
  if (context.json) terminal.printJson(result);
  else if (!writes) terminal.print(result.text);
}

/** A file that is not there becomes one. @param {string} file */
function readIfThere(file) {
  return readText(file).catch((error) => {
    if (error.cause?.code === 'ENOENT') return '';
    throw error;
  });
}
