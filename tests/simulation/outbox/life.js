// One run: a few tabs of one browser, some seconds to minutes of virtual time in which anything may go wrong, then all faults end, and the test
// compares the calls with the counts and with the answers.

import { CounterDatabase } from '../../../web/library/counter_database.js';
import { openCounters } from '../../../web/library/open_counters.js';
import { Browser, Tab } from './browser.js';
import { Network } from './network.js';
import { Likes } from './likes.js';
import { FIRST, inTwoFields, isTorn } from './two_fields.js';
import { Watcher } from './watcher.js';

/** How much each user's increments are multiples of, so that a commit tells whose they are. */
const UNITS = /** @type {Record<string, number>} */ ({ nobody: 1, ann: 1000, bob: 1_000_000 });
/** Where nothing else decides the amounts, each is a digit of its own of the total: the total then tells how often each was counted. */
const DIGIT = 4;
const MOST_DIGITS = 26;
/** Mended, everything has to end within so much virtual time. */
const PATIENCE_MS = 30 * 60_000;
/** Then, those who watch have to see it. */
const WATCH_PATIENCE_MS = 60_000;
/** When nothing fails, an increment is stored within so much time, and a page that is left has sent what it sends. */
const STORED_MS = 1500;
const LEFT_MS = 300;
/** A refusal that nobody here waits for is told when other tabs have had this time to say that they do. */
const TOLD_MS = 2000;
/** close() waits for the server and for the storage, and gives up. */
const CLOSED_MS = 60_000;
/** Where nothing has gone wrong yet, a lone press is counted within so much time. */
const QUICK_MS = 200;
/** A press is a lone one if its page has not counted for so long. */
const LONE_MS = 3000;
const DAY_MS = 24 * 3_600_000;
/** Some devices are years off. */
const YEARS_MS = 3 * 365 * DAY_MS;
/** The actions of people and their pages after which nothing may be lost. */
const HARMLESS = ['', 'in a hurry', 'opens', 'killed', 'flush', 'frozen', 'hidden or shown', 'goes away', 'closes', 'storage mended', 'user', 'clock'];
/** By then every marker has expired. */
const WEEKS_MS = 61 * DAY_MS;
/** The most requests a minute that a page may send while there is no network. */
const MOST_VAIN = 700;
/** One run takes some dozens. In the harsh world more tabs live longer, and each sends by itself what it could not store. */
const MOST_REQUESTS = 5000;
const MOST_HARSH_REQUESTS = 20_000;

/** @typedef {{tab: Tab, browser: Browser, db: CounterDatabase, counters: import('../../../web/library/counter.js').Counter[], likes: any, watchers: Watcher[], isClosed?: boolean, askedAt?: number}} Page */
/**
 * @typedef {object} Asked
 * @property {Page} page
 * @property {number} counter
 * @property {number} amount
 * @property {string} user
 * @property {'counted' | 'refused' | 'unknown' | 'left'} [outcome] What its promise has told; `left`: it is stored, and nobody waits.
 * @property {number} [endedAt] By performance.now().
 * @property {string} [code]
 * @property {string} [why] What its error says.
 * @property {boolean} [isStored] Whether the death of its page can do no harm.
 * @property {boolean} [isLost] Whether its page has died before.
 */

export class Life {
  /** @type {Page[]} */
  pages = [];
  /** @type {Asked[]} */
  asked = [];
  /** Of how many of them the call has come back. */
  taken = 0;
  /** @type {string[]} */
  complaints = [];
  /** @type {{counter: number, amount: number, code: string}[]} */
  warnings = [];
  user = 'nobody';
  /** What authToken does instead of answering. @type {'' | 'reject' | 'null'} */
  tokenFault = '';
  /** Whether data were lost in a manner that the library cannot prevent. */
  isForgetful = false;
  /** Whether a tab may have gone on in memory, of which others learn nothing. */
  hadStorageFaults = false;
  /** Whether nothing goes wrong any more, and nothing is asked for. */
  isMended = false;
  /** Whether there is a second browser with a copy of the first one's storage. */
  hasCopy = false;
  /** The number of times that a user has signed in or out, or has become unknown. */
  signIns = 0;
  /** Whether nothing has gone wrong yet. */
  isCalm = true;
  /** Whether network, storage, rules and modules have worked so far. */
  isHonest = true;
  /**
   * Whether storages fail after they have stored, data are cleared all the time, and more tabs are open: the memory of a tab and the storage then
   * differ in every manner.
   */
  isHarsh;
  /** What happened, for whoever replays it. @type {string[] | undefined} */
  log;
  /** @type {number[]} The totals, until the next commit. */
  #totals = [];

  /**
   * @param {number} seed
   * @param {{clock: import('./clock.js').Clock, dice: import('./dice.js').Dice, engine: any, load: any, loadSecond: any, fragile: import('./fragile.js').Fragile, isHarsh?: boolean, isReplayed?: boolean}} world
   */
  constructor(seed, { clock, dice, engine, load, loadSecond, fragile, isHarsh = false, isReplayed = false }) {
    if (isReplayed) this.log = [];
    this.seed = seed;
    this.isHarsh = isHarsh;
    this.clock = clock;
    this.dice = dice;
    this.engine = engine;
    this.load = load;
    this.loadSecond = loadSecond;
    this.fragile = fragile;
    this.browsers = [new Browser(clock, dice)];
    this.browser.clockError = dice.pick([0, 0, 0, 0, 0, 0, 0, 0, -YEARS_MS, YEARS_MS]);
    // All devices say the same year, because the library's own clock, which all lives share, goes on when a wall clock jumps ahead.
    clock.shift(-this.browser.clockError);
    this.network = new Network(clock, dice, engine, (token, body) => this.onCommit(token, body), (tab) => this.onKeepalive(tab));
    this.likes = new Likes(this);
    this.paths = Array.from({ length: dice.between(1, 2) }, (_, i) => `c/s${seed}x${i}`);
    this.hasUsers = dice.chance(0.4);
    this.needsUser = this.hasUsers && dice.chance(0.5);
    // A browser that sends a denied request again, by itself and after that, makes a refusal wrong; so does a copy of the storage, and a storage
    // that keeps a row though it says that it does not. The library cannot know of any of them.
    this.mayRulesChange = this.hasUsers && dice.chance(0.3);
    this.namesUsers = this.hasUsers && dice.chance(0.4);
    this.hasLocks = dice.chance(0.9);
    this.mayForget = dice.chance(isHarsh ? 1 : 0.3);
    this.flushMs = dice.pick([0, 20, 1000, 1000]);
    // What is too much for one commit goes in several. Users' amounts are not cut into parts: those would not tell whose they are.
    this.maxDelta = this.hasUsers ? undefined : dice.pick([undefined, undefined, 2]);
    this.isExact = !this.hasUsers && this.maxDelta === undefined;
    this.network.needsUser = this.needsUser;
    if (seed % 2 === 0) this.network.date = () => new Date(clock.now).toUTCString();
    /** Whether pages show totals. */
    this.isWatched = seed % 5 === 0;
    /** Whether its counters have two fields. */
    this.haveFields = !this.isWatched && seed % 3 === 2;
  }

  /** The first one. */
  get browser() {
    return /** @type {Browser} */ (this.browsers[0]);
  }

  /** @param {string} what */
  note(what) {
    this.log?.push(`${(performance.now() / 1000).toFixed(3)} ${what}`);
  }

  /** @param {string | null} token @param {string} body */
  onCommit(token, body) {
    const user = token ? JSON.parse(atob(token.split('.')[1] ?? '')).sub : 'nobody';
    this.#totals = [];
    if (this.log) this.note(`commit: ${body.replaceAll(/projects.demo.databases.*?documents./g, '').slice(0, 400)}`);
    if (this.likes.isIn(user, body)) return;
    for (const [, digits] of body.matchAll(/"increment":\{"integerValue":"(\d+)"\}/g)) {
      const amount = Number(digits);
      const unit = UNITS[user] ?? 1;
      if (this.isExact) continue;
      if (amount % unit !== 0 || amount >= unit * 1000) this.complaints.push(`${amount} was sent under the token of ${user}`);
    }
  }

  /** @param {Tab} tab */
  onKeepalive(tab) {
    if (performance.now() - tab.hiddenAt > LEFT_MS) this.complaints.push('a request is to outlive a page that nobody leaves');
  }

  token() {
    if (this.tokenFault === 'reject') throw new Error('The token cannot be had.');
    if (this.tokenFault === 'null' || this.user === 'nobody') return null;
    return `h.${btoa(JSON.stringify({ sub: this.user }))}.s`;
  }

  /** @param {Browser} [home] */
  async open(home = this.dice.pick(this.browsers)) {
    const { dice } = this;
    const tab = new Tab();
    tab.clockError = home.clockError;
    const browser = home.of(tab);
    if (!this.hasLocks) delete browser.locks;
    const page = /** @type {Page} */ ({ tab, browser: home, watchers: [] });
    const throws = dice.chance(0.2);
    tab.run(async () => {
      const { connection, outbox } = await openCounters({
        projectId: 'demo',
        fetch: this.network.fetchOf(tab),
        storage: home.storageOf(tab),
        retry: { maxAttempts: 3, initialDelayMs: 100, maxDelayMs: 3000, timeoutMs: 5000 },
        ...(this.hasUsers ? { authToken: async () => {
          const token = this.token();
          if (dice.chance(0.3)) await tab.guard(this.clock.sleep(dice.between(1, 300)));
          return token;
        } } : {}),
        ...(this.namesUsers ? { user: () => (this.tokenFault === 'null' || this.user === 'nobody' ? null : this.user) } : {}),
        onWarning: (/** @type {any} */ warning) => {
          this.onWarning(warning);
          if (throws) throw new Error('A callback that throws.');
        },
        ...(throws ? { onRequest: () => { throw new Error('A callback that throws.'); } } : {}),
      }, this.load, this.loadSecond, browser);
      page.db = new CounterDatabase(connection, outbox);
      const options = { shards: 3, flushMs: this.flushMs, maxDelta: this.maxDelta };
      page.counters = this.paths.map((path) => (this.haveFields ? inTwoFields(connection, page.db, path, options) : page.db.counter(path, options)));
      page.likes = this.likes.open(page.db);
      if (this.isWatched) page.watchers = page.counters.map((_, counter) => new Watcher(this, page, counter, throws));
    });
    await this.clock.pass(0);
    this.pages.push(page);
    this.note(`page ${this.pages.length - 1} opens`);
    return page;
  }

  /** @param {any} warning */
  onWarning({ code, message }) {
    const [, seed, counter, amount] = /^An increment of c\/s(\d+)x(\d) by (\d+)(?: paid, -\d+ debt)? (?:was not|may or may not have been) counted/.exec(message) ?? [];
    if (amount) this.warnings.push({ counter: Number(counter), amount: Number(amount), code });
    this.note(`warning ${code}: ${message.slice(0, 90)}`);
    void seed;
  }

  /** @param {Page} page */
  increment(page) {
    const { dice } = this;
    if (page.tab.isFrozen || page.tab.isAway || page.tab.isDead || page.isClosed) return;
    const counter = dice.between(0, this.paths.length - 1);
    const user = this.hasUsers && this.tokenFault !== 'null' ? this.user : 'nobody';
    if (user === 'nobody' && this.needsUser && dice.chance(0.5)) return;
    const digit = this.asked.filter((other) => other.counter === counter).length;
    const drawn = dice.between(1, 5);
    if (this.isExact && digit === MOST_DIGITS) return;
    /** @type {Asked} */
    const one = { page, counter, amount: this.isExact ? DIGIT ** digit : (UNITS[user] ?? 1) * drawn, user };
    this.#expectQuick(one);
    this.asked.push(one);
    const controller = dice.chance(0.1) ? new AbortController() : undefined;
    page.tab.run(() => {
      page.counters[counter]?.increment(one.amount, { signal: controller?.signal }).then(() => {
        one.outcome = 'counted';
        this.note(`increment by ${one.amount} ends: counted`);
      }, (error) => {
        one.endedAt = performance.now();
        one.code = error.code;
        one.why = error.message;
        one.outcome = error.code === 'cancelled' ? (/will not be counted|was not sent/.test(error.message) ? 'refused' : 'left')
          : error.code === 'outcome-unknown' ? 'unknown' : 'refused';
        if (one.outcome === 'unknown') this.#checkKnown();
        this.note(`increment by ${one.amount} ends: ${error.code} ${error.message.slice(0, 80)}`);
      });
    });
    this.taken = this.asked.length;
    this.#noteStored(one);
    if (controller) this.clock.after(dice.between(0, 50), () => controller.abort(), page.tab);
    this.note(`page ${this.pages.indexOf(page)}: ${user} asks for ${one.amount} at ${counter}`);
  }

  /** Notes whether it must have been stored by then, so that it is counted, or told as failed, whatever becomes of its page. @param {Asked} one */
  #noteStored(one) {
    const { signIns, tokenFault } = this;
    const { tab } = one.page;
    const { absences, isFrozen } = tab;
    if (tokenFault !== '' || isFrozen) return;
    this.clock.after(STORED_MS, () => {
      one.isStored = !this.hadStorageFaults && this.signIns === signIns && tab.absences === absences && !tab.isDead;
    }, null);
  }

  /** A lone press is sent at once. @param {Asked} one */
  #expectQuick(one) {
    const { page, amount } = one;
    const now = performance.now();
    const isLone = now - (page.askedAt ?? -Infinity) >= LONE_MS;
    page.askedAt = now;
    if (!isLone || !this.isCalm || this.hasUsers || amount > (this.maxDelta ?? Infinity)) return;
    this.clock.after(QUICK_MS, () => {
      if (this.isCalm && one.outcome === undefined) this.complaints.push('a lone press waits');
    }, null);
  }

  /** Those that are there, and whose database is open. */
  get living() {
    return this.pages.filter(({ tab, db, isClosed }) => !tab.isDead && db && !isClosed);
  }

  /** Those of them that run code. */
  get awake() {
    return this.living.filter(({ tab }) => !tab.isHung);
  }

  /** @param {Page} page */
  kill(page) {
    page.browser.kill(page.tab);
    this.#lose(page);
    this.note(`page ${this.pages.indexOf(page)} dies`);
  }

  /** Nobody hears any more what becomes of what it has asked for. @param {Page} page */
  #lose(page) {
    for (const one of this.asked) if (one.page === page && (one.outcome === undefined || one.outcome === 'left')) one.isLost = true;
    this.likes.lose(page);
  }

  /** @param {'' | 'reject' | 'null'} tokenFault */
  signIn(tokenFault) {
    // While no token can be had, a page cannot notice that the user changes.
    if (this.tokenFault === 'reject') return;
    this.signIns += 1;
    this.user = this.dice.pick(['nobody', 'ann', 'bob', this.user]);
    this.tokenFault = tokenFault;
    this.note(`signed in: ${this.user} ${tokenFault}`);
  }

  /** Within some milliseconds somebody asks, goes somewhere else, and asks again. @param {Page} page */
  hurry(page) {
    const { dice, clock } = this;
    const other = dice.pick(this.living);
    if (this.hasUsers && dice.chance(0.3)) this.signIn('');
    this.increment(page);
    const later = (/** @type {number} */ ms, /** @type {() => void} */ act) => clock.after(ms, () => (this.isMended ? undefined : act()), null);
    later(dice.pick([0, 5, 20, 50]), () => (dice.chance(0.5) ? this.leave(other) : this.hide(other)));
    later(dice.between(0, 60), () => this.increment(page));
  }

  /** Or shows it. @param {Page} page */
  hide({ tab }) {
    tab.visibilityState = tab.visibilityState === 'hidden' ? 'visible' : 'hidden';
    tab.tell('visibilitychange');
  }

  /** For ever, or into the browser's cache of pages. @param {Page} page */
  leave(page) {
    const { tab } = page;
    if (tab.isDead) return;
    tab.tell('pagehide');
    tab.isAway = true;
    tab.absences += 1;
    if (!tab.isFrozen) this.clock.after(0, () => this.#checkUnlocked(page), null);
    if (this.dice.chance(0.5)) this.kill(page);
    else this.clock.after(this.dice.between(1, 20_000), () => this.#comeBack(page), null);
  }

  /** @param {Page} page */
  #comeBack({ tab }) {
    if (!tab.isAway) return;
    tab.isAway = false;
    tab.tell('pageshow', { persisted: true });
  }

  /** @param {Page} page */
  close(page) {
    page.isClosed = true;
    let hasEnded = false;
    page.tab.run(() => void page.db.close().then(() => {
      hasEnded = true;
    }, (error) => this.complaints.push(`close() rejects: ${error}`)));
    this.clock.after(CLOSED_MS, () => {
      if (!hasEnded && page.tab.absences === 0 && !page.tab.isDead) this.complaints.push('close() does not end');
    }, null);
  }

  /** Somebody has a copy of the storage, and it sends as well. */
  copyStorage() {
    if (this.hasCopy) return;
    this.hasCopy = true;
    this.browsers.push(this.browser.copy());
  }

  /** For weeks no page is open, and the database deletes expired documents. */
  async passWeeks() {
    for (const page of this.living) this.kill(page);
    await this.clock.pass(WEEKS_MS);
    for (const { name, fields } of this.documents('shardline_markers')) {
      if (Date.parse(fields.expireAt.timestampValue) < this.clock.now) this.engine.handle({ method: 'DELETE', target: `/v1/${name}` }, this.clock.now);
    }
  }

  /** Something happens. */
  async happen() {
    const { dice, network, isHarsh } = this;
    const page = this.living.length > 0 ? dice.pick(this.living) : await this.open();
    const { tab, browser } = page;
    const events = /** @type {[number, string, () => unknown][]} */ ([
      [12, '', () => {
        for (let left = dice.pick([1, 1, 2, 3]); left > 0; left -= 1) this.increment(page);
      }],
      [3, 'in a hurry', () => this.hurry(page)],
      [4, '', () => this.likes.press(page)],
      [isHarsh ? 4 : 2, 'opens', () => (this.living.length < (isHarsh ? 4 : 3) ? this.open() : undefined)],
      [1, 'killed', () => this.kill(page)],
      [1, 'flush', () => tab.run(() => void page.counters[0]?.flush().catch(() => {}))],
      [1, 'frozen', () => (tab.isFrozen ? tab.thaw(this.clock) : tab.freeze(dice.chance(0.5)))],
      [1, 'hidden or shown', () => this.hide(page)],
      [1, 'goes away', () => this.leave(page)],
      [0.5, 'closes', () => this.close(page)],
      [1, 'network up or down', () => {
        network.isDown = !network.isDown;
        if (!network.isDown) tab.tell('online');
      }],
      [1, 'network faults', () => {
        network.faults = { lose: dice.pick([0, 0.2]), loseAnswer: dice.pick([0, 0.3]), duplicate: this.mayRulesChange ? 0 : dice.pick([0, 0.2]), late: dice.pick([0, 0.1]), abort: dice.pick([0, 0.2]), unavailable: dice.pick([0, 0.2]) };
      }],
      [this.isWatched ? 2 : 0, 'commits slow or quick', () => {
        network.slow = { arrival: dice.pick([0, 0, 2000, 6000]), answer: dice.pick([0, 0, 2000, 6000]) };
      }],
      [isHarsh ? 3 : 1, 'storage faults', () => {
        this.hadStorageFaults = true;
        const failAfter = this.mayRulesChange ? 0 : dice.pick(isHarsh ? [0, 0.3, 0.6] : [0, 0, 0.3]);
        browser.storageFaults = { fail: dice.pick([0, 0, 0.5, 1]), failAfter, hang: dice.pick([0, 0, 0, 0.1]), late: dice.pick([0, 0.2]), forget: this.mayRulesChange ? 0 : dice.pick([0, 0, 0, 0, 0.5, 1]) };
        if (browser.storageFaults.forget > 0) this.isForgetful = true;
      }],
      [1, 'storage mended', () => {
        browser.storageFaults = { fail: 0, failAfter: 0, hang: 0, late: 0, forget: 0 };
      }],
      [isHarsh ? 6 : this.mayForget ? 2 : 0, 'data cleared', () => {
        this.isForgetful = true;
        browser.clear();
      }],
      [this.mayForget ? 0.5 : 0, 'power lost', () => {
        this.isForgetful = true;
        for (const each of this.living) if (each.browser === browser) this.kill(each);
        browser.losePower();
      }],
      [this.mayForget && !this.mayRulesChange ? 0.5 : 0, 'storage copied', () => this.copyStorage()],
      [this.hasUsers ? 3 : 0, 'user', () => this.signIn(dice.pick(['', '', 'reject', 'null']))],
      [this.mayRulesChange ? 2 : 0, 'rules change', () => {
        network.needsUser = !network.needsUser;
      }],
      [0.5, 'weeks pass', () => this.passWeeks()],
      [0.5, 'module crashes', () => this.fragile.crashAfter(dice.between(0, 60))],
      [0.5, 'clock', () => {
        tab.clockError = browser.clockError + dice.between(-300_000, 300_000);
      }],
    ]);
    let left = dice.next() * events.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, name, act] of events) {
      left -= weight;
      if (left >= 0) continue;
      if (name) this.note(`page ${this.pages.indexOf(page)}: ${name}`);
      if (name && name !== 'opens') this.isCalm = false;
      if (!HARMLESS.includes(name)) this.isHonest = false;
      return act();
    }
  }

  /** @param {Page} page */
  #checkUnlocked(page) {
    if (!page.tab.isDead && page.browser.isLocking(page.tab)) this.complaints.push('a page that is left holds a lock');
  }

  /** As long as nothing is lost and no page ends or goes away, the outcome of each increment is known. */
  #checkKnown() {
    const isLossy = this.isForgetful || this.hadStorageFaults || this.hasCopy || this.needsUser || this.mayRulesChange || this.pages.some(({ tab, isClosed }) => tab.isDead || tab.absences > 0 || isClosed);
    if (this.isHonest || !isLossy) this.complaints.push('an increment ends as unknown, though nothing was lost');
  }

  async run() {
    const steps = this.isHarsh ? this.dice.between(8, 40) : this.dice.between(4, 20);
    await this.open();
    for (let i = 0; i < steps; i += 1) {
      await this.happen();
      await this.#wait(this.dice.pick([0, 1, 5, 50, 400, 3000, 3000, 15_000]));
      this.checkBounds();
    }
    await this.mend();
    await this.clock.pass(TOLD_MS);
    this.checkEnd();
    await this.checkWatches();
    await this.end();
    return this.complaints;
  }

  /** @param {number} ms */
  async #wait(ms) {
    const { network } = this;
    const { isDown, requests } = network;
    await this.clock.pass(ms);
    if (!isDown || !network.isDown || ms < 10_000) return;
    const perMinute = (network.requests - requests) * 60_000 / ms;
    if (perMinute > MOST_VAIN * Math.max(this.living.length, 1)) this.complaints.push(`${perMinute} requests a minute are sent without a network`);
  }

  /** From now on nothing fails, and each user comes by. Increments without a user do not wait until no user is signed in. */
  async mend() {
    this.note('mended');
    this.isMended = true;
    this.network.heal();
    this.fragile.crashAfter(Infinity);
    for (const each of this.browsers) each.storageFaults = { fail: 0, failAfter: 0, hang: 0, late: 0, forget: 0 };
    const wasUnknown = this.tokenFault === 'reject';
    this.tokenFault = '';
    for (const page of this.pages) {
      const { tab } = page;
      if (tab.isFrozen && this.dice.chance(0.3)) {
        tab.isHung = true;
        this.#lose(page);
        this.note(`page ${this.pages.indexOf(page)} hangs for good`);
      }
      if (tab.isHung) continue;
      tab.visibilityState = 'visible';
      if (tab.isFrozen) tab.thaw(this.clock);
      await this.clock.pass(0);
      this.#comeBack(page);
      await this.clock.pass(0);
    }
    // Nobody can tell increments apart that users ask for while no token can be had.
    if (wasUnknown) await this.clock.pass(130_000);
    for (const user of this.hasUsers ? ['ann', 'bob'] : ['nobody']) {
      const isQuiet = () => [user, 'nobody'].every((each) => this.isQuiet(each));
      if (this.user !== user) this.signIns += 1;
      this.user = user;
      this.note(`${user} comes by`);
      for (const browser of this.browsers) await this.open(browser);
      await this.clock.pass(PATIENCE_MS, isQuiet);
      if (isQuiet()) continue;
      this.complaints.push(`what ${user} has asked for does not end, or what nobody has`);
      for (const row of [...this.stored(user), ...this.stored('nobody')]) this.note(`stored: ${JSON.stringify(row)}`);
      for (const page of this.awake) {
        const pending = page.counters.map((counter) => counter.pending);
        if (pending.some((amount) => amount !== 0)) this.note(`page ${this.pages.indexOf(page)} has ${pending} pending`);
      }
      for (const one of this.asked) {
        if (one.outcome === undefined && !one.isLost) this.note(`page ${this.pages.indexOf(one.page)} waits: ${one.amount} by ${one.user}`);
      }
    }
  }

  /** @param {string} user */
  isQuiet(user) {
    if (this.asked.some((one) => one.user === user && one.outcome === undefined && !one.isLost) || this.likes.isWaiting(user)) return false;
    if (this.stored(user).length > 0) return false;
    const unit = this.isExact ? 0 : UNITS[user] ?? 1;
    return !this.awake.some(({ counters }) => counters.some(({ pending }) => (unit ? Math.floor(Number(pending) / unit) % 1000 : Number(pending)) !== 0));
  }

  /** The user's records: none is left in the end. @param {string} user */
  stored(user) {
    return this.browsers.flatMap(({ disk }) => [...disk.values()]).filter((row) => (row.user ?? 'nobody') === user);
  }

  /** @param {number} counter */
  total(counter) {
    this.#totals[counter] ??= this.#readTotal(counter);
    return this.#totals[counter];
  }

  /** @param {number} counter */
  #readTotal(counter) {
    const field = this.haveFields ? FIRST : 'count';
    return this.documents(`${this.paths[counter]}/shards`).reduce((/** @type {number} */ sum, /** @type {any} */ { fields }) => sum + Number(fields[field]?.integerValue ?? 0), 0);
  }

  /** @param {string} collection */
  documents(collection) {
    const target = `/v1/projects/demo/databases/(default)/documents/${collection}`;
    const { body } = this.engine.handle({ method: 'GET', target }, this.clock.now);
    return JSON.parse(new TextDecoder().decode(body)).documents ?? [];
  }

  /** @param {number} counter @param {(one: Asked) => boolean} isMeant */
  sum(counter, isMeant) {
    return this.asked.filter((one) => one.counter === counter && isMeant(one)).reduce((sum, { amount }) => sum + amount, 0);
  }

  /** Acknowledged amounts ≤ total ≤ asked amounts, less the refused ones. */
  checkBounds() {
    if (this.network.requests > (this.isHarsh ? MOST_HARSH_REQUESTS : MOST_REQUESTS)) this.complaints.push(`${this.network.requests} requests were sent`);
    this.paths.forEach((_, counter) => {
      const total = this.total(counter);
      const counted = this.sum(counter, ({ outcome }) => outcome === 'counted');
      const most = this.sum(counter, ({ outcome }) => outcome !== 'refused');
      if (counted > total) this.complaints.push(`${counted} were told as counted, and the total is ${total}`);
      if (total > most) this.complaints.push(`the total is ${total}, and no more than ${most} can have been counted`);
      if (this.haveFields && isTorn(this.documents(`${this.paths[counter]}/shards`))) this.complaints.push('an increment has been counted in one field alone');
    });
    if (this.isExact) for (const one of this.asked) this.#checkCounted(one);
  }

  /** Each by itself: how often it was counted, and what was told of it. @param {Asked} one */
  #checkCounted({ counter, amount, outcome = 'open' }) {
    const times = Math.floor(this.total(counter) / amount) % DIGIT;
    const isWrong = times > 1 || (times === 1 && outcome === 'refused') || (times === 0 && outcome === 'counted');
    if (isWrong) this.complaints.push(`an increment by ${amount} was counted ${times} times, and told as ${outcome}`);
  }

  /** A caller or a warning reports each missing amount, once. */
  checkEnd() {
    this.checkBounds();
    this.likes.checkEnd();
    if (this.isForgetful) return;
    // If every tab sends, or if a tab was not there to say that it waits, two tabs may report the same failure.
    const isToldOnce = this.hasLocks && !this.hadStorageFaults && !this.hasCopy && this.pages.every(({ tab }) => tab.absences === 0);
    this.paths.forEach((_, counter) => {
      const told = this.told(counter, () => true);
      const refused = this.told(counter, ({ code }) => code !== 'outcome-unknown');
      const most = this.sum(counter, ({ outcome }) => outcome !== 'refused') - refused;
      if (isToldOnce && this.total(counter) > most) this.complaints.push(`the total is ${this.total(counter)}, and by what was told no more than ${most} was counted`);
      const least = this.sum(counter, ({ outcome, isLost, isStored }) => (!isLost || isStored) && outcome !== 'refused' && outcome !== 'unknown') - told;
      const total = this.total(counter);
      if (total < least) this.complaints.push(`the total is ${total}; at least ${least} were asked for, and nobody was told that they failed`);
    });
  }

  /** @param {number} counter @param {(warning: {code: string}) => boolean} isMeant */
  told(counter, isMeant) {
    return this.warnings.filter((warning) => warning.counter === counter && isMeant(warning)).reduce((sum, { amount }) => sum + amount, 0);
  }

  async checkWatches() {
    const watchers = this.awake.flatMap((page) => page.watchers);
    await this.clock.pass(WATCH_PATIENCE_MS, () => watchers.every(({ isRight }) => isRight));
    for (const watcher of watchers) if (!watcher.isRight) this.complaints.push(watcher.describe());
  }

  async end() {
    for (const { watchers } of this.pages) for (const { stop } of watchers) stop();
    for (const { tab, browser } of this.pages) browser.kill(tab);
    this.clock.clear();
  }
}
