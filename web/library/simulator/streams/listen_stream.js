// google.firestore.v1.Firestore.Listen: documents and queries that a client watches. The writer calls refresh(). As Firestore does, it bills each document that
// it sends, a document that leaves a target because it has changed, and one read for a target that has no documents when it begins.
// (https://firebase.google.com/docs/firestore/pricing#listens)

import { asReported, grpcCode, invalid, ServerError } from './ask.js';

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
 * @typedef {object} Watched
 * @property {Target} target
 * @property {Map<string, string | null>} known By name, the update time of what the client has been told; null: that there is none.
 */

/** @implements {Stream} */
export class ListenStream {
  #ask;
  #bill;
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
   * @param {import('./web_channel.js').Client} client
   * @param {() => void} onClose
   */
  constructor(ask, bill, client, onClose) {
    this.#ask = ask;
    this.#bill = bill;
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

  /** Something was written. */
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

  /** One after the other. @param {() => Promise<void>} step */
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
    const { targetId } = target;
    this.#change('ADD', targetId);
    // This stream does not know the changes that an earlier stream sent: it sends them again.
    if (target.resumeToken || target.readTime) this.#change('RESET', targetId);
    const watched = { target, known: new Map() };
    const before = this.#reads;
    const readTime = await this.#read(watched);
    if (readTime === undefined) return;
    if (this.#reads === before) this.#reads += 1;
    this.#watched.set(targetId, watched);
    this.#change('CURRENT', targetId, readTime);
    this.#tellTime(readTime);
  }

  /** @param {number} targetId */
  #remove(targetId) {
    if (this.#watched.delete(targetId)) this.#change('REMOVE', targetId);
  }

  /** All targets as of one moment, so that what the client shows was true at one. */
  async #compare() {
    /** @type {string | undefined} */
    let readTime;
    for (const [targetId, watched] of this.#watched) {
      const read = await this.#read(watched, readTime);
      if (read === undefined) this.#watched.delete(targetId);
      readTime ??= read;
    }
    if (readTime !== undefined) this.#tellTime(readTime);
  }

  /**
   * Reads a target, and tells what has changed in it.
   * @param {Watched} watched
   * @param {string} [at] As of then.
   * @returns {Promise<string | undefined>} The time; undefined if the server refuses it, which the client is told.
   */
  async #read({ target, known }, at) {
    const { targetId } = target;
    try {
      const { documents, readTime } = target.query ? await this.#query(target.query, at) : await this.#get(target.documents?.documents ?? [], at);
      for (const document of documents) {
        if (known.get(document.name) === document.updateTime) continue;
        known.set(document.name, document.updateTime);
        this.#reads += 1;
        this.#client.send({ documentChange: { document, targetIds: [targetId] } });
      }
      const found = new Set(documents.map(({ name }) => name));
      const gone = (target.documents?.documents ?? [...known.keys()]).filter((name) => !found.has(name) && known.get(name) !== null);
      await this.#tellGone(targetId, gone, readTime, known);
      for (const name of gone) {
        if (target.documents) known.set(name, null);
        else known.delete(name);
      }
      return readTime;
    } catch (error) {
      if (!(error instanceof ServerError) || error.isPassing) throw error;
      this.#client.send({ targetChange: { targetChangeType: 'REMOVE', targetIds: [targetId], cause: { code: grpcCode(error.status), message: error.message } } });
      return undefined;
    }
  }

  /**
   * A document that is in a target no more is either deleted, or only another one now.
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

  /** @param {'ADD' | 'REMOVE' | 'RESET' | 'CURRENT'} targetChangeType @param {number} targetId @param {string} [readTime] */
  #change(targetChangeType, targetId, readTime) {
    const time = readTime === undefined ? {} : { readTime, resumeToken: tokenOf(readTime) };
    this.#client.send({ targetChange: { targetChangeType, targetIds: [targetId], ...time } });
  }

  /** All that was told up to now makes a whole as of this moment. @param {string} readTime */
  #tellTime(readTime) {
    this.#client.send({ targetChange: { readTime, resumeToken: tokenOf(readTime) } });
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

/** @param {string} readTime */
const tokenOf = (readTime) => btoa(readTime);
