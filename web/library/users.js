// The owners of increments. A stored increment belongs to the user who made it, and is sent with that user's token only. An increment from before
// sign-in needs no token, and is sent without one, also if another user has signed in by then.

import { ShardlineError } from './errors.js';

/**
 * A user's id; null without a signed-in user; '' for a token that names no user, such as an OAuth token.
 * @typedef {string | null} User
 * @typedef {import('./connection.js').TokenSource} TokenSource
 */

export class Users {
  #authToken;
  #name;
  /** Called when `current` has changed. @type {() => void} */
  onChange = () => {};
  /** @type {Promise<User> | undefined} The answer for all who ask in the same moment. */
  #asking;
  /** @type {{token: unknown, user: User} | undefined} The last token, and the user of the option `user` when it was made. */
  #made;
  /** @type {User | undefined} The last known user; undefined before the first answer. */
  current;

  /**
   * @param {TokenSource | undefined} authToken
   * @param {(() => string | null | undefined) | undefined} name The option `user`: names the user instead of the token.
   */
  constructor(authToken, name) {
    this.#authToken = authToken;
    this.#name = name;
    if (!authToken && !name) this.current = null;
  }

  /**
   * Whether that user's increments can be sent now: the user is signed in, or is null.
   * @param {User} user
   */
  isHere(user) {
    return user === this.current || (user === null && this.current !== undefined);
  }

  /** Whether a user may sign in. */
  get mayCome() {
    return this.#authToken !== undefined || this.#name !== undefined;
  }

  /** The user at this moment, if it is known without waiting. Throws if the option `user` does. @returns {User | undefined} */
  get known() {
    if (this.#name) return this.#learn(this.#named());
    return this.#authToken ? undefined : null;
  }

  /**
   * The user at this moment.
   * @returns {Promise<User>} Rejects with `unauthenticated` while the user is unknown.
   */
  ask() {
    if (!this.#asking) {
      this.#asking = this.#ask();
      // A later call may mean another user.
      queueMicrotask(() => {
        this.#asking = undefined;
      });
    }
    return this.#asking;
  }

  async #ask() {
    if (this.#name) return this.#learn(this.#named());
    if (!this.#authToken) return null;
    try {
      return this.#learn(userOfToken(await this.#authToken({ forceRefresh: false })));
    } catch (cause) {
      throw new ShardlineError('unauthenticated', 'authToken() failed, so the user of these increments is unknown. They wait in '
        + 'memory until it succeeds. Pass the option `user` to store them at once.', { reason: 'token-not-given', params: { function: 'authToken' }, cause });
    }
  }

  /** The connection asks this for tokens: every answer names the signed-in user. @returns {TokenSource | undefined} */
  get authToken() {
    const authToken = this.#authToken;
    if (!authToken) return undefined;
    return async (hint) => {
      if (!this.#name) {
        const token = await authToken(hint);
        this.#learn(userOfToken(token));
        return token;
      }
      for (;;) {
        const user = this.#learn(this.#named());
        const token = await authToken(hint);
        // Another user may be signed in by now, and the token is not that user's.
        if (this.#named() !== user) continue;
        this.#made = { token, user };
        return token;
      }
    };
  }

  /**
   * The token for a request of that user's. Throws if the option `user` does.
   * @param {User} user
   * @param {string | null | undefined} token The token at hand.
   * @returns {string | null | undefined} null: without a token. undefined: the request does not go out.
   */
  tokenFor(user, token) {
    if (this.#owns(user, token)) return token ?? null;
    const isSomebodyThere = !this.#name || this.#named() !== null;
    return user === null && isSomebodyThere ? null : undefined;
  }

  /**
   * Whether a request under this token is that user's.
   * @param {User} user
   * @param {string | null | undefined} token
   */
  #owns(user, token) {
    if (!this.#name) return userOfToken(token) === user;
    if (this.#named() !== user) return false;
    // Requests of a page that goes away use the token at hand, which may be an earlier user's.
    const made = this.#made;
    return !this.#authToken || (made?.user === user && String(made.token).trim() === String(token));
  }

  /** Throws `unauthenticated` if the option `user` throws, or returns another value. @returns {User} */
  #named() {
    let cause;
    try {
      const user = this.#name?.() ?? null;
      if (user === null || typeof user === 'string') return user;
    } catch (error) {
      if (error instanceof ShardlineError) throw error;
      cause = error;
    }
    throw new ShardlineError('unauthenticated', 'user() must return the id of the user, or null.',
      { reason: 'token-not-given', params: { function: 'user' }, cause });
  }

  /** @param {User} user */
  #learn(user) {
    if (user !== this.current) {
      this.current = user;
      this.onChange();
    }
    return user;
  }
}

/**
 * The user that an ID token names. The token is decoded, not verified: the server does that.
 * @param {string | null | undefined} token
 * @returns {User}
 */
export function userOfToken(token) {
  if (!token) return null;
  const [, payload = ''] = String(token).split('.');
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));
    const { user_id: id, sub } = JSON.parse(new TextDecoder().decode(bytes));
    const user = id ?? sub;
    return typeof user === 'string' ? user : '';
  } catch {
    return '';
  }
}
