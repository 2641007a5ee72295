// The number of shards that a load needs, and its cost.

import { openWorkbench } from '../../library/workbench.js';
import { UsageError } from '../options.js';
import { columns, counted, number } from '../terminal.js';

/** @typedef {import('../context.js').Context} Context */

/** @param {Context} context */
export async function shards(context) {
  const { writesPerSecond } = context.values;
  const result = (await openWorkbench()).shardsFor({ writesPerSecond, ...context.pick('burst') });
  const { counter, collection, rampUpMinutes } = result;
  context.answer(result, [
    `a counter: ${counted(counter.shards, 'shard')}. ${counter.why}`,
    `a collection: ${counted(collection.shards, 'shard')}. ${collection.why}`,
    `to grow to that: ${counted(rampUpMinutes, 'minute')}`,
  ].join('\n'));
}

/** @param {Context} context */
export async function cost(context) {
  const { values } = context;
  /** @type {Record<string, any>} */
  const load = context.pick('edition', 'location');
  for (const { name, inApi } of context.command.options ?? []) {
    const [group = '', member = ''] = inApi?.split('.') ?? [];
    if (member && values[name] !== undefined) load[group] = { ...load[group], [member]: values[name] };
  }
  if (!['increments', 'totals', 'choices', 'summaries', 'watches', 'listens', 'takes', 'inserts', 'queries'].some((name) => values[name] !== undefined)) {
    throw new UsageError('Of what? Give at least one of --increments, --totals, --choices, --summaries, --watches, --listens, --takes, --inserts and --queries.');
  }
  const result = (await openWorkbench()).cost(load);
  const { items, perMonth, prices, unit } = result;
  const row = (/** @type {string} */ what, /** @type {import('../../library/workbench.js').CostItem} */ { reads, writes, deletes = 0, dollars }) =>
    [what, number(reads), number(writes), number(deletes), dollars.toFixed(2)];
  context.answer(result, `${columns([
    ['a month', unit === 'units' ? 'read units' : 'reads', unit === 'units' ? 'write units' : 'writes', 'deletes', 'dollars'],
    ...Object.entries(items).map(([what, item]) => row(what, item)),
    row('together', perMonth),
  ])}\nprices: ${prices.source}${prices.asOf ? `, ${prices.asOf}` : ''}; includes the storage of markers and takes; without the free quota, other storage, network and the reads of rules`);
}
