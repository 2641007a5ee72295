// firestore.rules.

import { writeFile } from 'node:fs/promises';

import { openWorkbench } from '../../library/workbench.js';
import { choicesOf } from '../choices.js';
import { UsageError, withFlags } from '../options.js';
import { readText } from '../text_file.js';

/** @param {import('../context.js').Context} context */
export async function run(context) {
  const { values: { into, write }, command, terminal } = context;
  const { counterRules, joinCounterRules } = await openWorkbench();
  const options = /** @type {import('../../library/workbench.js').CounterRulesOptions} */ (optionsOf(context));
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

/** @param {import('../context.js').Context} context */
export async function stock(context) {
  const { stockRules } = await openWorkbench();
  const options = /** @type {import('../../library/workbench.js').StockRulesOptions} */ (context.pick('path', 'access', 'maxUnits', 'confirm', 'admin'));
  const text = stockRules(options);
  context.answer({ text }, text);
}

/** A file that is not there becomes one. @param {string} file */
function readIfThere(file) {
  return readText(file).catch((error) => {
    if (error.cause?.code === 'ENOENT') return '';
    throw error;
  });
}

/** @param {import('../context.js').Context} context */
function optionsOf(context) {
  const options = context.pick('path', 'layout', 'shards', 'maxDelta', 'fractions', 'access', 'missingShards', 'parent', 'admin');
  const choices = choicesOf(context.values);
  if (choices.length > 1) throw new UsageError('--ratings, --reactions and --fields each have rules of their own. Call the command once for each.');
  const [own] = choices;
  if (!own) return options;
  // The defaults are for counters.
  const usual = new Map(context.command.options?.map((option) => [option.name, option.usual]));
  const given = Object.entries(options).filter(([name, value]) => value !== usual.get(name) || name === 'shards');
  return { ...Object.fromEntries(given), ...own };
}
