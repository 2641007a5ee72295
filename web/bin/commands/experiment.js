// Load experiments in virtual time.

import { openWorkbench } from '../../library/workbench.js';
import { columns, counted, number } from '../terminal.js';

/** @param {import('../context.js').Context} context */
export async function run(context) {
  const { values, signal, terminal } = context;
  const { createEmbeddedFirestore, experiments } = await openWorkbench();
  const known = await experiments();
  if (values.name === undefined) {
    context.answer(known, columns(known.map(({ preset, title }) => [preset, title])));
    return;
  }
  const simulator = await createEmbeddedFirestore();
  const report = terminal.progress('running', 'ran');
  const show = (/** @type {import('../../library/workbench.js').ExperimentReport} */ { seconds: done, experiment }, isLast = false) =>
    report({ done: Math.floor(done), total: experiment.seconds ?? 1, unit: 'virtual second' }, isLast);
  const options = { preset: values.name, ...context.pick('users', 'seconds', 'shards', 'delivery', 'seed'), ...(values.units && { stock: { units: values.units } }) };
  const result = await simulator.run(options, { signal, onProgress: show });
  show(result, true);
  await simulator.close();
  const { operations, throughput, latencyMs, requests, count, ids, stock, server } = result;
  context.answer(result, columns([
    ['throughput', `${number(throughput)}/s`],
    ['operations', `${number(operations.started)} started, ${number(operations.acknowledged)} done, ${number(operations.failed)} failed, ${number(operations.unknown)} unknown`],
    ['latency', `50 % within ${number(latencyMs.p50)} ms, 95 % ${number(latencyMs.p95)} ms, 99 % ${number(latencyMs.p99)} ms`],
    ['requests', `${number(requests.sent)} sent, ${counted(requests.conflicts, 'conflict')}, ${number(requests.retries)} ${requests.retries === 1 ? 'retry' : 'retries'}`],
    ...(count ? [['count', `${number(count.found)} found, ${number(count.lost)} lost, ${number(count.extra)} too many`]] : []),
    ...(ids ? [['ids', `${number(ids.issued)} issued, ${number(ids.duplicates)} twice`]] : []),
    ...(stock ? [['stock', `${counted(stock.units, 'unit')}, ${number(stock.taken)} taken, ${number(stock.oversold)} too many, ${number(stock.refused)} refused`]] : []),
    ['billed', `${counted(server.billed.reads, 'read')}, ${counted(server.billed.writes, 'write')}: ${server.billed.dollars.toFixed(2)} dollars`],
  ]));
}
