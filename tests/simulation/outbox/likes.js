// Likes in a life: members of a counted set, which are wanted and taken back from several pages.

/** @typedef {import('./life.js').Life} Life */
/** @typedef {import('./life.js').Page} Page */
/**
 * @typedef {object} Wish
 * @property {Page} page
 * @property {string} key
 * @property {boolean} wanted
 * @property {string} user
 * @property {'done' | 'failed' | 'left'} [outcome]
 * @property {boolean} [isLost] Whether its page has died before.
 * @property {number} made By the clock of its page.
 * @property {Wish[]} others Those for the key that another page may not have known to be settled when it was made.
 */

const KEYS = ['ann', 'bob'];

export class Likes {
  #life;
  /** @type {Wish[]} */
  #wishes = [];
  path;

  /** @param {Life} life */
  constructor(life) {
    this.#life = life;
    this.path = `c/l${life.seed}`;
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
    const wanted = dice.chance(0.1) ? before?.wanted ?? true : !before?.wanted;
    const user = life.hasUsers && life.tokenFault !== 'null' ? life.user : 'nobody';
    // Wishes of several users for one key have no order, and a page that is left cannot tell the others that its wish has come true.
    const others = this.#wishes.filter((wish) => wish.key === key && (wish.outcome !== 'done' || (wish.user !== user && wish.page.tab.absences > 0)));
    /** @type {Wish} */
    const wish = { page, key, wanted, user, made: life.clock.now + page.tab.clockError, others };
    this.#wishes.push(wish);
    life.note(`page ${life.pages.indexOf(page)}: ${user} wants ${key} ${wanted ? 'in' : 'out'}`);
    page.tab.run(() => {
      page.likes[wanted ? 'add' : 'remove'](key).then(() => {
        wish.outcome = 'done';
      }, (error) => {
        wish.outcome = error.code === 'cancelled' && !/was not sent|will not be/.test(error.message) ? 'left' : 'failed';
        life.note(`a wish for ${key} ends: ${error.code} ${error.message.slice(0, 80)}`);
      });
      // What a page says it will be is what was wanted last. Clocks say which one that is if another page's wish waits.
      page.likes.has(key).then((has) => {
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

  /** The total is the number of members, and a key is what was wanted last. */
  checkEnd() {
    const life = this.#life;
    const members = life.documents(`${this.path}/shardline/shards.count/shardline_members`)
      .filter((/** @type {any} */ { fields }) => Number(fields.delta.integerValue) === 1)
      .map((/** @type {any} */ { name }) => name.split('/').at(-1));
    const total = life.documents(`${this.path}/shards`).reduce((/** @type {number} */ sum, /** @type {any} */ { fields }) => sum + Number(fields.count?.integerValue ?? 0), 0);
    if (total !== members.length) life.complaints.push(`${members.length} keys are members, and the total is ${total}`);
    // A copy of the storage, or what could not be removed from it, repeats an old wish.
    if (life.isForgetful || life.hadStorageFaults || life.hasCopy) return;
    for (const key of KEYS) {
      const possible = this.#possible(key);
      if (!possible.has(members.includes(key))) life.complaints.push(`${key} is ${members.includes(key) ? 'a' : 'no'} member, and was wanted ${[...possible]} last`);
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
