// A page that watches while others write, on a hostile network: a query over two targets, a query over one, and a counter. Each seed is one life.

import { Dice } from '../outbox/dice.js';
import { StreamNetwork } from './stream_network.js';
import { StreamServer } from './stream_server.js';

const ROOT = 'projects/demo/databases/(default)/documents/';
const SHARDS = 35;
const LIMIT = 4;
const READS_PER_HOUR = 600;
const MINUTE_MS = 60_000;
/** After the last fault, all is shown within this time: a silent connection counts as dead after 45 s, and the longest pause takes 90 s. */
const HEALED_MS = 4 * MINUTE_MS;
/** How long a change takes when nothing goes wrong. A watch that asks may have an interval. */
const SOON_MS = MINUTE_MS;

/** @typedef {{at: bigint, rows: Map<string, {at: number, shard: string, n: number}>, counts: Map<string, number>}} State */
/** @typedef {{what: string, last: string, at: bigint, isOver: boolean, stop: () => void}} Watcher */

/** @param {any} time A text, or a Timestamp. */
const nanosOf = (time) => (typeof time === 'string' ? BigInt(Date.parse(`${time.slice(0, 19)}Z`)) * 1_000_000n + BigInt((time.slice(20, -1) || '0').padEnd(9, '0'))
  : BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds));

/** The text that each watcher shows of a state. @type {{[what: string]: (state: State) => string}} */
const SHOWN = {
  newest: ({ rows }) => pageOf(rows, SHARDS).slice(0, LIMIT).join(),
  some: ({ rows }) => pageOf(rows, SHARDS - 10).join(),
  total: ({ counts }) => `${[...counts.values()].reduce((sum, count) => sum + count, 0)}`,
};

/** @param {State['rows']} rows @param {number} shards */
const pageOf = (rows, shards) => [...rows].filter(([, { shard }]) => Number(shard) < shards)
  .sort(([id, row], [otherId, other]) => other.at - row.at || (id < otherId ? 1 : -1)).map(([id, { at, n }]) => `${id}@${at} ${n}`);

export class StreamLife {
  /** @type {string[]} */
  complaints = [];
  /** @type {string[]} */
  log = [];
  #clock;
  #dice;
  #connect;
  #page;
  /** @type {State[]} */
  #history = [{ at: 0n, rows: new Map(), counts: new Map() }];
  /** @type {Set<Watcher>} */
  #watchers = new Set();
  /** @type {any} */
  #db;
  #writes = 0;
  /** The number of reads that the page was told. */
  #told = 0;
  #began = 0;
  /** Whether the page watches the counter alone, within a budget. */
  #isFrugal;
  /** Of the counter. */
  #shards;
  /** @type {string | undefined} */
  #token;

  /**
   * @param {number} seed
   * @param {{clock: import('../outbox/clock.js').Clock, engine: any, page: import('./page.js').Page, connect: typeof import('../../../web/library/index.js').connect}} world
   */
  constructor(seed, { clock, engine, page, connect }) {
    this.#clock = clock;
    this.#connect = connect;
    this.#page = page;
    this.#dice = new Dice(seed);
    this.#isFrugal = this.#dice.chance(0.2);
    this.#shards = this.#isFrugal ? 20 : 4;
    this.server = new StreamServer(clock, this.#dice, engine);
    this.network = new StreamNetwork(clock, this.#dice, this.server);
  }

  async run() {
    const [clock, dice, network] = [this.#clock, this.#dice, this.network];
    this.#began = clock.now;
    for (let i = 0; i < 6; i += 1) this.#write();
    await this.#open();
    network.faults = { lose: 0.05, loseAnswer: 0.05, duplicate: 0.1, late: 0.03, cut: dice.pick([0, 0.03, 0.1]), split: 0.3, repeat: 0.1, bar: 0.02 };
    for (let step = 0; step < (this.#isFrugal ? 120 : 40); step += 1) {
      for (let i = dice.pick([0, 0, 1, 1, 2, 4]); i > 0; i -= 1) clock.after(dice.pick([0, 0, dice.between(0, 150)]), () => this.#write(), null);
      if (dice.chance(0.25)) this.#strike();
      if (this.#isFrugal && dice.chance(0.4)) this.server.restart(true);
      // Another page has another budget.
      if (!this.#isFrugal && dice.chance(0.05)) await this.#reopen();
      if (!this.#isFrugal && dice.chance(0.15)) this.#turn();
      await clock.pass(dice.pick([0, 20, 100, 300, 1000, 2000, 5000, 15_000]));
    }
    network.heal();
    this.server.isHarsh = false;
    this.#page.turn(false);
    this.#note('healed');
    await this.#expectLast(HEALED_MS, 'after the last fault');
    this.#write();
    await this.#expectLast(SOON_MS, 'when nothing goes wrong');
    await this.#checkReads();
    await this.#close();
    await clock.pass(1000);
    if (this.network.open > 0) this.#complain(`${this.network.open} streams are open after the end`);
  }

  /** @param {string} text */
  #note(text) {
    this.log.push(`${((this.#clock.now - this.#began) / 1000).toFixed(3)} ${text}`);
  }

  /** @param {string} text */
  #complain(text) {
    this.#note(`COMPLAINT ${text}`);
    this.complaints.push(text);
  }

  // ---- The writers ----

  #write() {
    const dice = this.#dice;
    const last = /** @type {State} */ (this.#history.at(-1));
    const [rows, counts] = [new Map(last.rows), new Map(last.counts)];
    const writes = [];
    for (let i = dice.pick([1, 1, 1, 2]); i > 0; i -= 1) {
      if (dice.chance(0.4)) writes.push(this.#count(counts));
      else writes.push(this.#row(rows));
    }
    const time = this.server.commit(writes);
    this.#history.push({ at: nanosOf(time), rows, counts });
    this.#note(`written ${time}: ${SHOWN.newest?.({ at: 0n, rows, counts })}; ${SHOWN.total?.({ at: 0n, rows, counts })}`);
  }

  /** @param {State['rows']} rows */
  #row(rows) {
    const dice = this.#dice;
    const id = `r${dice.between(0, 6)}`;
    const name = `${ROOT}rows/${id}`;
    if (dice.chance(0.25)) {
      rows.delete(id);
      return { delete: name };
    }
    const row = { at: dice.between(0, 5), shard: `${dice.between(0, SHARDS - 1)}`, n: (this.#writes += 1) };
    rows.set(id, row);
    const { at, shard, n } = row;
    return { update: { name, fields: { at: { integerValue: `${at}` }, shard: { stringValue: shard }, n: { integerValue: `${n}` } } } };
  }

  /** @param {State['counts']} counts */
  #count(counts) {
    const dice = this.#dice;
    const id = `${dice.between(0, this.#shards - 1)}`;
    const document = `${ROOT}counters/c/shards/${id}`;
    if (dice.chance(0.1)) {
      counts.delete(id);
      return { delete: document };
    }
    const by = dice.between(1, 3);
    counts.set(id, (counts.get(id) ?? 0) + by);
    return { transform: { document, fieldTransforms: [{ fieldPath: 'count', increment: { integerValue: `${by}` } }] } };
  }

  // ---- Everything that goes wrong ----

  #strike() {
    const [dice, clock, network, server] = [this.#dice, this.#clock, this.network, this.server];
    const strikes = {
      cut: () => network.cut(),
      dead: () => network.kill(),
      away: () => {
        network.isDown = true;
        if (dice.chance(0.5)) network.cut();
        clock.after(dice.pick([500, 4000, 20_000, MINUTE_MS]), () => {
          network.isDown = false;
          if (dice.chance(0.5)) this.#page.tell('online');
        }, null);
      },
      restart: () => server.restart(dice.chance(0.5)),
      serverClock: () => server.jump(dice.pick([1000, 12_000, 5 * MINUTE_MS, 31 * MINUTE_MS])),
      deviceClock: () => { this.#page.clockError += dice.pick([-1, 1]) * dice.pick([1000, 20 * MINUTE_MS]); },
      hidden: () => {
        this.#page.turn(true);
        clock.after(dice.pick([1000, 90_000]), () => this.#page.turn(false), null);
      },
      leave: () => {
        this.#page.tell('pagehide');
        clock.after(dice.pick([100, 30_000]), () => this.#page.tell('pageshow'), null);
      },
    };
    const what = /** @type {keyof typeof strikes} */ (dice.pick(Object.keys(strikes)));
    this.#note(what);
    strikes[what]();
  }

  // ---- The page ----

  async #open() {
    this.#token = undefined;
    const opened = this.#connect({
      projectId: 'demo', host: 'http://server', fetch: /** @type {any} */ (this.network.fetch), storage: 'memory',
      authToken: async ({ forceRefresh }) => {
        if (forceRefresh || !this.#token || JSON.parse(atob(this.#token.split('.')[1] ?? '')).exp * 1000 < Date.now() + MINUTE_MS) this.#token = this.server.token();
        return this.#token;
      },
      onRequest: ({ billed }) => { this.#told += billed.reads; },
      onWarning: (/** @type {any} */ warning) => this.#complain(`warning: ${warning.message}`),
    }).then((db) => { this.#db = db; });
    await this.#clock.pass(1000, () => this.#db !== undefined);
    await opened;
    this.#note('opened');
    if (this.#isFrugal) return this.#watch('total');
    for (const what of Object.keys(SHOWN)) if (this.#dice.chance(0.7)) this.#watch(what);
  }

  /** @param {string} what */
  #watch(what) {
    /** @type {Watcher} */
    const watcher = { what, last: '', at: 0n, isOver: false, stop: () => {} };
    this.#watchers.add(watcher);
    const rows = (/** @type {number} */ shards) => this.#db.shardedCollection('rows', { shards, orderField: 'at' }).newestFirst();
    const textOf = (/** @type {any} */ { docs }) => docs.map((/** @type {any} */ doc) => `${doc.id}@${doc.data().at} ${doc.data().n}`).join();
    const onError = (/** @type {any} */ error) => {
      this.#note(`${what}: ${error.message}`);
      if (!['unavailable', 'aborted', 'resource-exhausted'].includes(error.code)) this.#complain(`${what} ends with ${error.code}: ${error.message}`);
    };
    if (what === 'total') {
      watcher.stop = this.#db.counter('counters/c', { shards: this.#shards }).watch(({ value, reading }) => {
        if (reading) this.#see(watcher, `${value}`, reading.readTime);
      }, this.#isFrugal ? { readsPerHour: READS_PER_HOUR } : {});
    } else {
      const query = what === 'newest' ? rows(SHARDS).limit(LIMIT) : rows(SHARDS - 10);
      watcher.stop = query.onChange((/** @type {any} */ page) => this.#see(watcher, textOf(page), page.readTime), { onError });
    }
  }

  /** @param {Watcher} watcher @param {string} shown @param {any} readTime */
  #see(watcher, shown, readTime) {
    const at = nanosOf(readTime);
    const { what } = watcher;
    this.#note(`${what} shows ${shown} as of ${readTime.toDate().toISOString()}`);
    if (watcher.isOver) this.#complain(`${what} is shown after its end`);
    if (at < watcher.at) this.#complain(`${what} is older than the one before`);
    Object.assign(watcher, { last: shown, at });
    const expected = this.#shownAt(what, at);
    if (shown !== expected) this.#complain(`${what} shows ${shown}, but it was ${expected}`);
  }

  /** @param {string} what @param {bigint} [time] */
  #shownAt(what, time = 2n ** 64n) {
    return SHOWN[what]?.(/** @type {State} */ (this.#history.findLast(({ at }) => at <= time)));
  }

  /** Another watcher begins, or one ends. */
  #turn() {
    const [first] = this.#watchers;
    if (!first || this.#watchers.size < 4) return this.#watch(this.#dice.pick(Object.keys(SHOWN)));
    first.stop();
    first.isOver = true;
    this.#watchers.delete(first);
  }

  async #reopen() {
    await this.#close();
    await this.#open();
  }

  async #close() {
    this.#note('closed');
    for (const watcher of this.#watchers) {
      if (this.#dice.chance(0.5)) watcher.stop();
      watcher.isOver = true;
    }
    this.#watchers.clear();
    let isClosed = false;
    this.#db.close().then(() => { isClosed = true; });
    this.#db = undefined;
    await this.#clock.pass(20_000, () => isClosed);
    if (!isClosed) this.#complain('close() does not end');
  }

  // ---- In the end ----

  /** @param {number} ms @param {string} when */
  async #expectLast(ms, when) {
    const late = () => [...this.#watchers].filter(({ what, last }) => last !== this.#shownAt(what));
    await this.#clock.pass(ms, () => late().length === 0);
    for (const { what, last } of late()) this.#complain(`${when}, ${what} goes on to show ${last}, though it is ${this.#shownAt(what)}`);
  }

  async #checkReads() {
    await this.#clock.pass(0);
    const minutes = (this.#clock.now - this.#began) / MINUTE_MS;
    const most = READS_PER_HOUR * Math.min(0.3 + 0.7 * (minutes + 1) / 60, 1);
    const unheard = this.network.lost + this.server.sent - this.network.heard;
    this.#note(`${this.server.billed} reads in ${minutes.toFixed(1)} minutes, of which ${this.#told} were told and ${unheard} got lost`);
    if (this.#isFrugal && this.server.billed - unheard > most) this.#complain(`${this.server.billed - unheard} reads, though the budget gives ${most.toFixed(0)}`);
  }
}
