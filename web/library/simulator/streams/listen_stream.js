// google.firestore.v1.Firestore.Listen: documents and queries that a client watches. The writer calls refresh(). Like Firestore, it bills each
// document that it sends, a document that leaves a target because it has changed, and one read for a target that has no documents when it begins.
// (https://firebase.google.com/docs/firestore/pricing#listens)
//
// A resume token names a moment. The database keeps its documents of the last hour, so the server compares that moment with the present one, and
// sends the differences.

import { asReported, grpcCode, invalid, ServerError } from './ask.js';

/** Firestore bills a client that was away for longer than this like a new one. */
const REMEMBERED_MS = 30 * 60_000;
/**
 * To a client that was away for at most this time, Firestore names the documents that have left a target. To others it sends the number of documents
 * that are left. (Source: the integration tests of Firebase's SDK.)
 */
const FOLLOWED_MS = 10_000;

/**
 * @typedef {import('./web_channel.js').Stream} Stream
 *
 * @typedef {object} Target
 * @property {number} targetId
 * @property {{parent: string, structuredQuery: object}} [query]
 * @property {{documents: string[]}} [documents]
 * @property {string} [resumeToken]
 * @property {string} [readTime]
 *
 * @typedef {object} Document
 * @property {string} name
 * @property {string} updateTime
 *
 * @typedef {{documents: Document[], readTime: string, token: string}} State Of a target, at a moment.
 *
 * @typedef {object} Watched
 * @property {Target} target
 * @property {Map<string, string | null>} known By name, the update time of the last document that the client got; null: the client knows that there
 * is none.
 */

/** @implements {Stream} */
export class ListenStream {
  #ask;
  #bill;
  #generation;
  #reads = 0;
  #client;
  #onClose;
  /** @type {Map<number, Watched>} */
  #watched = new Map();
  #work = Promise.resolve();
  #isRefreshDue = false;
  #isClosed = false;

  /**
   * @param {import('./ask.js').Ask} ask
   * @param {(reads: number) => Promise<void>} bill
   * @param {() => string} generation The generation of the data: a new one after all documents were deleted at once, with their former versions.
   * @param {import('./web_channel.js').Client} client
   * @param {() => void} onClose
   */
  constructor(ask, bill, generation, client, onClose) {
    this.#ask = ask;
    this.#bill = bill;
    this.#generation = generation;
    this.#client = client;
    this.#onClose = onClose;
  }

  /** @param {{addTarget?: Target, removeTarget?: number}} message */
  take({ addTarget, removeTarget }) {
    if (!addTarget && removeTarget === undefined) throw invalid('Listen takes a target to add, or to remove.');
    if (addTarget && !addTarget.query?.parent && !addTarget.documents?.documents?.length) throw invalid('A target needs a query, or documents.');
    if (addTarget) this.#then(() => this.#add(addTarget));
    if (removeTarget !== undefined) this.#then(async () => this.#remove(removeTarget));
  }

  /** Sends changes, because a client may have written. */
  refresh() {
    if (this.#isRefreshDue) return;
    this.#isRefreshDue = true;
    this.#then(async () => {
      this.#isRefreshDue = false;
      await this.#compare();
    });
  }

  close() {
    this.#isClosed = true;
    this.#onClose();
  }

  /** Runs steps one after the other. @param {() => Promise<void>} step */
  #then(step) {
    this.#work = this.#work.then(async () => {
      if (this.#isClosed) return;
      await step();
      const reads = this.#reads;
      this.#reads = 0;
      await this.#bill(reads);
    }).catch((error) => this.#client.fail(asReported(error)));
  }

  /** @param {Target} target */
  async #add(target) {
    const { targetId, resumeToken } = target;
    this.#change('ADD', targetId);
    const state = await this.#read(target);
    if (!state) return;
    const watched = { target, known: new Map() };
    const before = this.#reads;
    const age = resumeToken ? await this.#recall(watched, state.readTime) : Infinity;
    const isNew = age === Infinity;
    if (isNew && (resumeToken || target.readTime)) this.#change('RESET', targetId);
    const isFollowed = isNew || age <= FOLLOWED_MS;
    await this.#tell(watched, state, isFollowed);
    if (isNew && this.#reads === before) this.#reads += 1;
    if (!isFollowed) this.#client.send({ filter: { targetId, count: state.documents.length } });
    this.#watched.set(targetId, watched);
    this.#change('CURRENT', targetId, state);
    // The other targets may have changed before this moment.
    this.refresh();
  }

  /**
   * Restores the client's known documents from its token.
   * @param {Watched} watched
   * @param {string} now
   * @returns {Promise<number>} The age of the token, in milliseconds. Infinity if the server no longer knows that moment.
   */
  async #recall({ target, known }, now) {
    const [generation, moment = ''] = textOf(String(target.resumeToken)).split(' ');
    const age = Date.parse(now) - Date.parse(moment);
    if (generation !== this.#generation() || !(age <= REMEMBERED_MS)) return Infinity;
    try {
      const { documents } = await this.#askState(target, moment);
      for (const name of target.documents?.documents ?? []) known.set(name, null);
      for (const { name, updateTime } of documents) known.set(name, updateTime);
      return age;
    } catch (error) {
      if (!(error instanceof ServerError) || error.isPassing) throw error;
      return Infinity;
    }
  }

  /** @param {number} targetId */
  #remove(targetId) {
    if (this.#watched.delete(targetId)) this.#change('REMOVE', targetId);
  }

  /** Reads all targets as of one moment, so that the client shows a consistent snapshot. */
  async #compare() {
    /** @type {State | undefined} */
    let first;
    for (const [targetId, watched] of this.#watched) {
      const state = await this.#read(watched.target, first?.readTime);
      if (state) await this.#tell(watched, state);
      else this.#watched.delete(targetId);
      first ??= state;
    }
    // All changes so far make a whole as of this moment.
    if (first) this.#client.send({ targetChange: momentOf(first) });
  }

  /**
   * @param {Target} target
   * @param {string} [at] The read time.
   * @returns {Promise<State | undefined>} Undefined if the server refuses it; the client gets the error.
   */
  async #read(target, at) {
    try {
      return await this.#askState(target, at);
    } catch (error) {
      if (!(error instanceof ServerError) || error.isPassing) throw error;
      const cause = { code: grpcCode(error.status), message: error.message };
      this.#client.send({ targetChange: { targetChangeType: 'REMOVE', targetIds: [target.targetId], cause } });
      return undefined;
    }
  }

  /**
   * Sends the changes of a target.
   * @param {Watched} watched
   * @param {State} state
   * @param {boolean} [isFollowed] Whether to name the documents that have left it.
   */
  async #tell({ target, known }, { documents, readTime }, isFollowed = true) {
    const { targetId } = target;
    for (const document of documents) {
      if (known.get(document.name) === document.updateTime) continue;
      known.set(document.name, document.updateTime);
      this.#reads += 1;
      this.#client.send({ documentChange: { document, targetIds: [targetId] } });
    }
    const found = new Set(documents.map(({ name }) => name));
    const gone = (target.documents?.documents ?? [...known.keys()]).filter((name) => !found.has(name) && known.get(name) !== null);
    if (isFollowed) await this.#tellGone(targetId, gone, readTime, known);
    for (const name of gone) {
      if (target.documents) known.set(name, null);
      else known.delete(name);
    }
  }

  /**
   * A document that has left a target was either deleted or changed.
   * @param {number} targetId
   * @param {string[]} names
   * @param {string} readTime
   * @param {Watched['known']} known
   */
  async #tellGone(targetId, names, readTime, known) {
    if (names.length === 0) return;
    const { documents } = await this.#get(names, readTime);
    const there = new Map(documents.map(({ name, updateTime }) => [name, updateTime]));
    for (const document of names) {
      const told = { document, removedTargetIds: [targetId], readTime };
      const updateTime = there.get(document);
      if (updateTime && updateTime !== known.get(document)) this.#reads += 1;
      this.#client.send(updateTime ? { documentRemove: told } : { documentDelete: told });
    }
  }

  /** @param {Target} target @param {string} [at] @returns {Promise<State>} */
  async #askState({ query, documents = { documents: [] } }, at) {
    const generation = this.#generation();
    const state = query ? await this.#query(query, at) : await this.#get(documents.documents, at);
    return { ...state, token: btoa(`${generation} ${state.readTime}`) };
  }

  /** @param {{parent: string, structuredQuery: object}} query @param {string} [readTime] */
  async #query({ parent, structuredQuery }, readTime) {
    const answers = await this.#ask(`${parent}:runQuery`, { structuredQuery, readTime });
    return collect(answers, 'document');
  }

  /** @param {string[]} documents @param {string} [readTime] */
  async #get(documents, readTime) {
    const [, root = ''] = /^(.*?\/documents)\//.exec(documents[0] ?? '') ?? [];
    const answers = await this.#ask(`${root}:batchGet`, { documents, readTime });
    return collect(answers, 'found');
  }

  /** @param {'ADD' | 'REMOVE' | 'RESET' | 'CURRENT'} targetChangeType @param {number} targetId @param {State} [state] */
  #change(targetChangeType, targetId, state) {
    this.#client.send({ targetChange: { targetChangeType, targetIds: [targetId], ...momentOf(state) } });
  }
}

/**
 * @param {any[]} answers
 * @param {'document' | 'found'} member
 * @returns {{documents: Document[], readTime: string}}
 */
function collect(answers, member) {
  const documents = answers.flatMap((answer) => (answer[member] ? [answer[member]] : []));
  return { documents, readTime: answers.findLast((answer) => answer.readTime)?.readTime };
}

/** @param {State | undefined} state */
const momentOf = (state) => state && { readTime: state.readTime, resumeToken: state.token };

/** @param {string} token */
function textOf(token) {
  try {
    return atob(token);
  } catch {
    return '';
  }
}
