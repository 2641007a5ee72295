// A model of Firestore's side of a stream of targets: it knows every state that there ever was, may send several commits before it says that a moment
// is whole, breaks off anywhere, honours resume tokens or not, and reports changes that it has not sent with existence filters.

/** @typedef {Map<string, {group: string, value: number}>} State */

const ROOT = 'projects/p/databases/d/documents/c/';

/** @param {number} version */
export const timeOf = (version) => new Date(Date.UTC(2026, 0, 1) + version * 1000).toISOString();

/** The documents of a state that a target of this group has, by name. @param {State} state @param {string} group */
export const membersOf = (state, group) => new Map([...state].filter(([, document]) => document.group === group)
  .map(([id, { value }]) => [ROOT + id, value]));

export class ListeningServer {
  /** By version. @type {State[]} */
  history = [new Map()];
  /** How many documents it has sent, which are billed. */
  reads = 0;
  /** How often each thing has happened. @type {Record<string, number>} */
  seen = {};
  /** @type {Set<Session>} */
  sessions = new Set();

  /** @param {import('../outbox/dice.js').Dice} dice */
  constructor(dice) {
    this.dice = dice;
  }

  /** For Targets. @param {any} handlers */
  open = async (handlers) => {
    const session = new Session(this, handlers);
    this.sessions.add(session);
    return session;
  };

  get now() {
    return /** @type {State} */ (this.history.at(-1));
  }

  /** @param {string} id @param {{group: string, value: number} | undefined} document */
  commit(id, document) {
    const state = new Map(this.now);
    if (document) state.set(id, document);
    else state.delete(id);
    this.history.push(state);
  }

  /** @param {string} what */
  note(what) {
    this.seen[what] = (this.seen[what] ?? 0) + 1;
  }
}

/** One stream. */
export class Session {
  /** The documents that each target has got, and up to which version. @type {Map<number, {group: string, version: number, has: Map<string, number>, isAdded: boolean}>} */
  targets = new Map();
  /** Targets that it has not answered yet. @type {(() => void)[]} */
  pending = [];
  /** @type {any[]} */
  said = [];
  isClosed = false;

  /** @param {ListeningServer} server @param {any} handlers */
  constructor(server, handlers) {
    this.server = server;
    this.handlers = handlers;
  }

  /** @param {any} message */
  send(message) {
    this.said.push(message);
    if (message.removeTarget !== undefined) this.targets.delete(message.removeTarget);
    if (message.addTarget) this.#add(message.addTarget);
  }

  close() {
    this.isClosed = true;
    this.server.sessions.delete(this);
  }

  /** @param {any} error */
  break(error = { status: 'UNAVAILABLE', message: 'cut', http: 0 }) {
    if (this.isClosed) return;
    this.server.sessions.delete(this);
    this.handlers.onEnd(error);
  }

  /** @param {any} message */
  say(message) {
    if (!this.isClosed) this.handlers.onMessage(message);
  }

  /** @param {any} target */
  #add({ targetId, query: { structuredQuery: { group } }, resumeToken }) {
    const { server } = this;
    const version = server.history.length - 1;
    const from = resumeToken === undefined ? undefined : Number(resumeToken);
    const target = { group, version: 0, has: new Map(), isAdded: false };
    this.targets.set(targetId, target);
    this.pending.push(() => {
      if (!this.targets.has(targetId)) return;
      target.isAdded = true;
      this.say({ targetChange: { targetChangeType: 'ADD', targetIds: [targetId] } });
      const honoured = from !== undefined && server.dice.chance(0.7);
      if (honoured) target.has = membersOf(/** @type {State} */ (server.history[from]), group);
      else if (from !== undefined) this.say({ targetChange: { targetChangeType: 'RESET', targetIds: [targetId] } });
      server.note(honoured ? 'resumed' : from === undefined ? 'begun' : 'reset');
      // It may have forgotten who has left meanwhile: then a filter says how many there are.
      const isForgetful = honoured && server.dice.chance(0.4);
      this.#bring(targetId, target, version, isForgetful);
      if (this.server.dice.chance(0.2)) return this.break();
      if (isForgetful) {
        server.note('filter');
        this.say({ filter: { targetId, count: membersOf(server.history[version] ?? new Map(), group).size } });
        if (!this.targets.has(targetId)) return;
      }
      target.has = membersOf(server.history[version] ?? new Map(), group);
      this.say({ targetChange: { targetChangeType: 'CURRENT', targetIds: [targetId], resumeToken: String(version), readTime: timeOf(version) } });
    });
  }

  /** @param {number} targetId @param {any} target @param {number} version @param {boolean} [isForgetful] */
  #bring(targetId, target, version, isForgetful = false) {
    const { server } = this;
    const state = /** @type {State} */ (server.history[version]);
    const members = membersOf(state, target.group);
    for (const [name, value] of members) {
      if (target.has.get(name) === value) continue;
      server.reads += 1;
      this.say({ documentChange: { document: { name, fields: { v: { integerValue: String(value) } }, createTime: '', updateTime: timeOf(version) }, targetIds: [targetId] } });
    }
    for (const name of target.has.keys()) {
      if (members.has(name) || isForgetful) continue;
      const told = { document: name, removedTargetIds: [targetId] };
      this.say(state.has(name.slice(ROOT.length)) ? { documentRemove: told } : { documentDelete: told });
    }
    target.version = version;
    if (!isForgetful) target.has = members;
  }

  /** Brings some targets, or all, up to date. Says that a moment is whole if all are. */
  step() {
    if (this.isClosed) return;
    for (const run of this.pending.splice(0)) run();
    const { server } = this;
    const version = server.history.length - 1;
    const isWhole = server.dice.chance(0.6);
    for (const [id, target] of this.targets) {
      if (this.isClosed) return;
      if (!target.isAdded) continue;
      if (target.version < version && (isWhole || server.dice.chance(0.6))) {
        if (server.dice.chance(0.1)) {
          server.note('reset while listening');
          this.say({ targetChange: { targetChangeType: 'RESET', targetIds: [id] } });
          target.has = new Map();
          this.#bring(id, target, version);
          this.say({ targetChange: { targetChangeType: 'CURRENT', targetIds: [id], readTime: timeOf(version) } });
        } else {
          this.#bring(id, target, version);
        }
      }
      if (server.dice.chance(0.03)) {
        server.note('cut between targets');
        return this.break();
      }
      if (server.dice.chance(0.02)) {
        server.note('removed for now');
        return this.say({ targetChange: { targetChangeType: 'REMOVE', targetIds: [id], cause: { code: 14, message: 'moved' } } });
      }
    }
    if (isWhole && this.targets.size > 0) this.say({ targetChange: { resumeToken: String(version), readTime: timeOf(version) } });
  }
}
