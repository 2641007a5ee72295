import { Action } from '../action.js';
import { h } from '../dom.js';
import { formatDuration, formatMs, formatNumber, text } from '../text.js';
import { button, radios } from './controls.js';
import { LineChart } from './line_chart.js';
import { Notice } from './notice.js';
import { panel } from './panel.js';

/**
 * @typedef {import('../../library/workbench.js').ExperimentReport} Report
 * @typedef {import('../text.js').TextId} TextId
 */

const PRESETS = /** @type {const} */ (['singleDocument', 'tenShards', 'fiftyShards']);

/** @type {[TextId, (report: Report) => string][]} The figures of each experiment. */
const FIGURES = [
  ['experiments.throughput', ({ throughput }) => formatNumber(Math.round(throughput * 10) / 10)],
  ['experiments.p50', ({ latencyMs }) => formatDuration(latencyMs.p50)],
  ['experiments.p95', ({ latencyMs }) => formatDuration(latencyMs.p95)],
  ['experiments.p99', ({ latencyMs }) => formatDuration(latencyMs.p99)],
  ['experiments.retries', ({ requests }) => formatNumber(requests.retries)],
  ['experiments.failed', ({ operations }) => formatNumber(operations.failed + operations.unknown)],
  ['experiments.acknowledged', ({ operations }) => formatNumber(operations.acknowledged)],
  ['experiments.found', ({ count }) => formatNumber(count?.found ?? 0)],
];

/** Load tests in virtual time, on a Firestore of their own, and their results. */
export class ExperimentsPanel {
  #choice = radios('experiment', 'experiments.choice', PRESETS.map((name) => [
    name, h('span', {}, text(`experiments.${name}`)), h('small', {}, text(`experiments.${name}.about`)),
  ]));
  #run = button('experiments.run', { kind: 'primary', onPress: () => this.#onRun() });
  #stop = button('experiments.stop', { onPress: () => this.#cancel.abort() });
  #running = new Action(this.#run);
  #cancel = new AbortController();
  #progress = h('progress', { max: 1, value: 0, 'aria-label': text('experiments.progress') });
  #notice = new Notice();
  /** @type {Map<string, Report>} */
  #reports = new Map();
  #chart = new LineChart('experiments.chart');
  #caption = h('caption', { class: 'visually-hidden' }, text('experiments.results'));
  #table = h('table', { class: 'figures' }, this.#caption);
  #results = h('div', { class: 'experiment-results', hidden: true }, this.#chart.element, this.#table);
  element = panel({ id: 'experiments', title: 'experiments.title', about: 'experiments.about' },
    this.#choice.element,
    h('div', { class: 'actions' }, this.#run, this.#stop, this.#progress),
    this.#notice.element,
    this.#results);

  constructor() {
    this.#showRunning(false);
  }

  /** Ends the running load test. */
  close() {
    this.#cancel.abort();
  }

  #onRun() {
    this.#running.run(this.#run, async () => {
      const name = this.#choice.value;
      this.#cancel = new AbortController();
      this.#notice.clear();
      this.#showRunning(true);
      try {
        const began = performance.now();
        const report = await run(name, this.#cancel.signal, (now) => this.#show(name, now));
        this.#show(name, report);
        this.#tell(report, performance.now() - began);
      } catch (error) {
        this.#reports.delete(name);
        this.#draw();
        if (!this.#cancel.signal.aborted) this.#notice.fail(error, null);
      } finally {
        this.#showRunning(false);
      }
    });
  }

  /** @param {boolean} isRunning */
  #showRunning(isRunning) {
    // A reader who stops the test continues at the button that starts it.
    if (!isRunning && document.activeElement === this.#stop) this.#run.focus();
    this.#stop.hidden = !isRunning;
    this.#progress.hidden = !isRunning;
    this.#progress.value = 0;
  }

  /**
   * @param {string} name
   * @param {Report} report So far.
   */
  #show(name, report) {
    this.#progress.value = report.seconds / (report.experiment.seconds ?? 1);
    this.#reports.set(name, report);
    this.#draw();
  }

  /**
   * @param {Report} report
   * @param {number} ms
   */
  #tell({ operations, count, experiment }, ms) {
    const lost = count?.lost ?? 0;
    const values = { count: operations.acknowledged, seconds: experiment.seconds ?? 0, ms: formatMs(ms), lost };
    this.#notice.show(lost === 0 ? 'good' : 'warning', text(lost === 0 ? 'experiments.done' : 'experiments.done.lost', values));
  }

  #draw() {
    const shown = PRESETS.filter((name) => this.#reports.has(name));
    this.#results.hidden = shown.length === 0;
    const reports = shown.map((name) => /** @type {Report} */ (this.#reports.get(name)));
    this.#chart.show(shown.map((name, index) => ({
      label: text(`experiments.${name}`),
      style: PRESETS.indexOf(name),
      values: reports[index]?.perSecond.acknowledged ?? [],
    })));
    this.#table.replaceChildren(this.#caption,
      h('thead', {}, h('tr', {}, h('td'), ...shown.map((name) => h('th', { scope: 'col' }, text(`experiments.${name}`))))),
      h('tbody', {}, ...FIGURES.map(([label, figure]) => h('tr', {},
        h('th', { scope: 'row' }, text(label)), ...reports.map((report) => h('td', {}, figure(report)))))));
  }
}

/**
 * On a Firestore of its own, in a worker of its own: it leaves stored data alone, and the page does not wait.
 * @param {string} name
 * @param {AbortSignal} signal
 * @param {(report: Report) => void} onProgress
 */
async function run(name, signal, onProgress) {
  const { openWorkbench } = await import('../../library/workbench.js');
  const simulator = await (await openWorkbench()).createEmbeddedFirestore();
  try {
    return await simulator.run(name, { signal, onProgress });
  } finally {
    await simulator.close();
  }
}
