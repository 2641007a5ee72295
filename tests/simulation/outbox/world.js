// The common parts of all simulated browsers of one process: the modules, and the numbers of events.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import createModule from '../../../web/library/generated/runtime.js';
import { loader } from '../../../web/library/load.js';
import { Engine } from '../../../web/library/simulator/engine.js';
import { openWorkbench } from '../../../web/library/workbench.js';
import { Clock } from './clock.js';
import { Dice } from './dice.js';
import { Fragile } from './fragile.js';
import { Life } from './life.js';

/** How a server words its answers. */
const DIALECTS = ['emulator', 'production', 'proxy'];
/** One in this number of browsers lives in a harsh world. */
const HARSH = 7;

export class World {
  #fragile = new Fragile(createModule);
  #load;
  #loadSecond;
  /** @type {any} The embedded Firestore's. */
  #module;
  browsers = 0;
  lives = 0;
  increments = 0;
  unknown = 0;
  /** How many of them ended so for each cause. @type {Record<string, number>} */
  causes = {};
  requests = 0;

  constructor() {
    const generated = new URL('../../../web/library/generated/', import.meta.url);
    this.#load = loader('counters.wasm', this.#fragile.createModule, () => new URL('counters.wasm', generated));
    this.#loadSecond = loader('admin.wasm', this.#fragile.createModule, () => new URL('admin.wasm', generated));
    this.workbench = readFileSync(fileURLToPath(new URL('workbench.wasm', generated)));
  }

  /** Loads the modules, which takes real time. */
  async start() {
    await Promise.all([this.#load(), this.#loadSecond()]);
    ({ module: this.#module } = await (await openWorkbench({ wasm: this.workbench })).createEngine());
  }

  get crashes() {
    return this.#fragile.crashes;
  }

  /**
   * A browser in which a few pages live.
   * @param {number} seed
   * @param {{isHarsh?: boolean, isReplayed?: boolean}} [options] `isHarsh`: see Life; `isReplayed`: what happens is noted.
   */
  async live(seed, { isHarsh = seed % HARSH === 0, isReplayed = false } = {}) {
    const clock = new Clock();
    const dice = new Dice(seed);
    clock.install();
    dice.install();
    const engine = new Engine(this.#module, { limits: 'none', dialect: DIALECTS[seed % DIALECTS.length], seed });
    const life = new Life(seed, { clock, dice, engine, load: this.#load, loadSecond: this.#loadSecond, fragile: this.#fragile, isHarsh, isReplayed });
    try {
      await life.run();
    } catch (error) {
      life.complaints.push(`${/** @type {Error} */ (error).stack}`);
    }
    clock.uninstall();
    engine.close();
    this.browsers += 1;
    this.lives += life.pages.length;
    this.increments += life.asked.length;
    for (const { outcome, why = '' } of life.asked) {
      if (outcome !== 'unknown') continue;
      this.unknown += 1;
      this.causes[why] = (this.causes[why] ?? 0) + 1;
    }
    this.requests += life.network.requests;
    return life;
  }
}
