// firestore.rules.

import { openWorkbench } from '../../library/workbench.js';
import { choicesOf } from '../choices.js';
import { UsageError, withFlags } from '../options.js';
import { readText, writeText } from '../text_file.js';

/** @typedef {import('../context.js').Context} Context */

/** @param {Context} context */
export async function run(context) {
  const { counterRules, joinCounterRules } = await openWorkbench();
  await printOrJoin(context, /** @type {import('../../library/workbench.js').CounterRulesOptions} */ (optionsOf(context)), counterRules, joinCounterRules);
}

/** @param {Context} context */
export async function stock(context) {
  const { stockRules, joinStockRules } = await openWorkbench();
  const options = /** @type {import('../../library/workbench.js').StockRulesOptions} */ (context.pick('path', 'access', 'maxUnits', 'confirm', 'admin'));
  await printOrJoin(context, options, stockRules, joinStockRules);
}

/**
 * Prints the rules, or the file of --into with the rules in it.
 * @template Options
 * @param {Context} context
 * @param {Options} options
 * @param {(options: Options) => string} make
 * @param {(text: string, options: Options) => import('../../library/workbench.js').JoinedRules} join
 */
async function printOrJoin(context, options, make, join) {
  const { values: { into, write }, command, terminal } = context;
  if (into === undefined) {
    if (write) throw new UsageError('--into is missing: the file that --write changes.');
    const text = make(options);
    context.answer({ text }, text);
    return;
  }
  const result = join(await readIfThere(into), options);
  for (const { line, why, todo } of result.findings) terminal.note(`${into}:${line}: ${withFlags(command, { message: `${why} ${todo}` })}`);
  const writes = write && into !== '-';
  if (writes) await writeText(into, result.text);
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

/** @param {Context} context */
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
