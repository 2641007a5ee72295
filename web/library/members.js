// Memberships at one place: those that the server has confirmed, and the waiting wishes for others.

/**
 * @typedef {import('./users.js').User} User
 * @typedef {import('./outbox/place.js').Part} Part
 *
 * @typedef {boolean | string} Membership Whether a key is a member of a counted set; in a set of choices, its choice, or false.
 */

export class Members {
  #place;
  /** The last known membership of keys. @type {Map<string, Membership>} */
  #known = new Map();
  /** Members that were settled while a request for them was under way. @type {Set<Map<string, Membership>>} */
  #hearing = new Set();

  /** @param {{readonly parts: Part[], learnt: () => Promise<unknown>}} place */
  constructor(place) {
    this.#place = place;
  }

  /** A wish has come true. @param {string} key @param {Membership} wanted */
  settle(key, wanted) {
    for (const members of [this.#known, ...this.#hearing]) members.set(key, wanted);
  }

  /** All were deleted. */
  clear() {
    this.#known.clear();
  }

  /** The last waiting wish for a key: whether it is a member, or its choice; undefined: no wish waits. @param {string} key */
  wanted(key) {
    return this.#wishes(key).at(-1)?.wish?.wanted;
  }

  /** The known membership of a key before a new wish. @param {string} key @param {Membership} wanted @returns {Membership} */
  before(key, wanted) {
    return this.wanted(key) ?? this.#known.get(key) ?? !wanted;
  }

  /** The first waiting wish for a key, of this user or of a user who is not known yet. @param {string} key @param {User} user */
  firstWish(key, user) {
    return this.#wishes(key).find((part) => part.user === user || part.user === undefined);
  }

  /**
   * A sort key for a new wish (a hybrid logical clock): the time, but after all wishes that this page knows, whatever their clocks say.
   * @param {string} key
   */
  orderOfNext(key) {
    return Math.max(Date.now(), ...this.#wishes(key).map(({ order = 0 }) => order + 1));
  }

  /**
   * The memberships of keys when the waiting wishes are sent. A waiting wish answers without the network.
   * @param {string[]} keys
   * @param {() => Promise<Membership[]>} ask Asks the server for the memberships.
   * @returns {Promise<Membership[]>}
   */
  async willHave(keys, ask) {
    await this.#place.learnt();
    const wishes = keys.map((key) => this.wanted(key));
    if (!wishes.includes(undefined)) return /** @type {Membership[]} */ (wishes);
    /** @type {Map<string, Membership>} */
    const settled = new Map();
    this.#hearing.add(settled);
    try {
      const members = await ask();
      return keys.map((key, i) => {
        // The answer may be older than a wish that was settled meanwhile.
        const member = settled.get(key) ?? members[i] ?? false;
        this.#known.set(key, member);
        return this.wanted(key) ?? member;
      });
    } finally {
      this.#hearing.delete(settled);
    }
  }

  /** @param {string} key */
  #wishes(key) {
    return this.#place.parts.filter(({ wish }) => wish?.member === key)
      .sort(({ order: one = 0, id = '' }, { order: other = 0, id: otherId = '' }) => one - other || (id < otherId ? -1 : 1));
  }
}
