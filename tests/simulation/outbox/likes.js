// Likes in a life: members of a counted set, which are wanted and taken back from several pages. In every fourth browser they are reactions,
// of which each member has one.

import { Reactions } from '../../../web/library/choices.js';

/** @typedef {import('./life.js').Life} Life */
/** @typedef {import('./life.js').Page} Page */
/**
 * @typedef {object} Wish
 * @property {Page} page
 * @property {string} key
 * @property {boolean | string} wanted Whether it is to be a member; its reaction.
 * @property {string} user
 * @property {'done' | 'failed' | 'left'} [outcome]
 * @property {boolean} [isLost] Whether its page has died before.
 * @property {number} made By the clock of its page.
 * @property {Wish[]} others Those for the key that may not have been settled for every page when it was made.
 */

const KEYS = ['ann', 'bob'];
const KINDS = ['like', 'love'];
/** One in this number of browsers has reactions. */
const REACTING = 4;

export class Likes {
  #life;
  /** @type {Wish[]} */
  #wishes = [];
  path;

  /** @param {Life} life */
  constructor(life) {
    this.#life = life;
    this.path = `c/l${life.seed}`;
    this.haveKinds = life.seed % REACTING === REACTING - 1;
  }

  /** @param {import('../../../web/library/counter_database.js').CounterDatabase} db @returns {any} */
  open(db) {
    return this.haveKinds ? new Reactions(db, this.path, { kinds: KINDS, shards: 3 }) : db.countedSet(this.path, { shards: 3 });
  }

  /** @param {boolean | string | undefined} before */
  #next(before = false) {
    if (!this.haveKinds) return !before;
    const all = [false, ...KINDS];
    return all[(all.indexOf(before) + 1 + this.#wishes.length % 2) % all.length] ?? false;
  }

  /** Whether a commit is one of theirs. Its user must have asked for it. @param {string} user @param {string} body */
  isIn(user, body) {
    const [, key] = /shardline_members\/(\w+)/.exec(body) ?? [];
    if (!key) return false;
    if (!this.#wishes.some((wish) => wish.key === key && wish.user === user)) this.#life.complaints.push(`a wish for ${key} was sent under the token of ${user}`);
    return true;
  }

  /** @param {Page} page */
  press(page) {
    const life = this.#life;
    const { dice } = life;
    if (page.tab.isFrozen || page.tab.isAway || page.tab.isDead || page.isClosed || !page.likes) return;
    const key = dice.pick(KEYS);
    const before = this.#wishes.findLast((wish) => wish.key === key);
    const wanted = dice.chance(0.1) ? before?.wanted ?? this.#next() : this.#next(before?.wanted);
    const user = life.hasUsers && life.tokenFault !== 'null' ? life.user : 'nobody';
    // Wishes of several users for one key have no order, and a page that is left cannot tell the others that its wish has come true. A failing
    // storage may keep the row of a wish that has come true, and a later page then sends it again.
    const others = this.#wishes.filter((wish) => wish.key === key
      && (wish.outcome !== 'done' || life.hadStorageFaults || (wish.user !== user && wish.page.tab.absences > 0)));
    /** @type {Wish} */
    const wish = { page, key, wanted, user, made: life.clock.now + page.tab.clockError, others };
    this.#wishes.push(wish);
    life.note(`page ${life.pages.indexOf(page)}: ${user} wants ${key} ${wanted ? 'in' : 'out'} ${wanted}`);
    page.tab.run(() => {
      const asked = !wanted ? page.likes.remove(key) : this.haveKinds ? page.likes.set(key, wanted) : page.likes.add(key);
      asked.then(() => {
        wish.outcome = 'done';
      }, (/** @type {any} */ error) => {
        wish.outcome = error.code === 'cancelled' && !/was not sent|will not be/.test(error.message) ? 'left' : 'failed';
        life.note(`a wish for ${key} ends: ${error.code} ${error.message.slice(0, 80)}`);
      });
      // The state that a page announces is the last wish. Clocks decide which one is the last if another page's wish waits.
      page.likes[this.haveKinds ? 'get' : 'has'](key).then((/** @type {any} */ has = false) => {
        const isLast = this.#wishes.findLast((one) => one.key === key) === wish;
        if (isLast && others.every((other) => other.page === page || other.made < wish.made) && wish.outcome === undefined && has !== wanted) life.complaints.push(`has(${key}) says ${has}, and ${wanted} was wanted last`);
      }, () => {});
    });
  }

  /** Nobody hears any more what becomes of its wishes. @param {Page} page */
  lose(page) {
    for (const wish of this.#wishes) if (wish.page === page && wish.outcome !== 'done') wish.isLost = true;
  }

  /** @param {string} user */
  isWaiting(user) {
    return this.#wishes.some((wish) => wish.user === user && wish.outcome === undefined && !wish.isLost);
  }

  /** The total is the number of members, and each key has the state of the last wish. */
  checkEnd() {
    const life = this.#life;
    const [shards, field] = this.haveKinds ? ['shardline_reactions', 'choice'] : ['shards', 'count'];
    const members = new Map(life.documents(`${this.path}/shardline/${shards}.${field}/shardline_members`)
      .filter((/** @type {any} */ { fields }) => Number(fields.delta.integerValue) === 1)
      .map((/** @type {any} */ { name, fields }) => [name.split('/').at(-1), this.haveKinds ? fields.choice.stringValue : true]));
    for (const kind of this.haveKinds ? KINDS : [true]) {
      const counted = kind === true ? 'count' : kind;
      const total = life.documents(`${this.path}/${shards}`).reduce((/** @type {number} */ sum, /** @type {any} */ { fields }) => sum + Number(fields[counted]?.integerValue ?? 0), 0);
      const right = [...members.values()].filter((each) => each === kind).length;
      if (total !== right) life.complaints.push(`${right} keys are members, and the total is ${total} (${kind})`);
    }
    // A copy of the storage, or a row that could not be removed from it, repeats an old wish.
    if (life.isForgetful || life.hadStorageFaults || life.hasCopy) return;
    for (const key of KEYS) {
      const possible = this.#possible(key);
      const is = members.get(key) ?? false;
      if (!possible.has(is)) life.complaints.push(`${key} is ${is || 'no'} member, and was wanted ${[...possible]} last`);
    }
  }

  /** @param {string} key */
  #possible(key) {
    const possible = new Set();
    const wishes = this.#wishes.filter((wish) => wish.key === key);
    for (const { wanted, outcome, isLost, others, page } of wishes.toReversed()) {
      possible.add(wanted);
      // Of two that wait in two pages, or of two users, either may be the last.
      for (const other of others) if (other.page !== page || other.user !== wishes.at(-1)?.user) possible.add(other.wanted);
      if (outcome === 'done' && !isLost) return possible;
    }
    return possible.add(false);
  }
}
