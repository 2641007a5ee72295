// The context of a command: its arguments, the terminal, a signal that Ctrl-C aborts, and the database.

import { openDatabase } from './database.js';
import { commandLine } from './options.js';

/**
 * @typedef {import('./options.js').Command} Command
 * @typedef {import('./terminal.js').Terminal} Terminal
 * @typedef {import('../library/index.js').Database} Database
 */

/** A terminal that is closed sends SIGHUP; Ctrl-Break on Windows is SIGBREAK. @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'];
const EXPORT_TOKEN = 'export GOOGLE_OAUTH_ACCESS_TOKEN=$(gcloud auth print-access-token)';

export class Context {
  #abort = new AbortController();
  /** Whether requests are sent with one. */
  #hasToken = true;
  #billed = '';
  #goOn = '';
  /** Whether that would be the same command again. */
  #goesOnAlike = false;
  // A terminal that is closed may send SIGHUP twice: from the shell and from the system.
  #onSignal = (/** @type {NodeJS.Signals} */ name) => (name === 'SIGHUP' ? this.#abort.abort() : this.#interrupt());
  /** Why the server refuses the token. Another try has the same token. @type {Error | undefined} */
  refusal;

  /**
   * @param {Command} command
   * @param {import('./options.js').Given} given
   * @param {Terminal} terminal
   */
  constructor(command, { values }, terminal) {
    this.command = command;
    /** By the names in the command's table. @type {Record<string, any>} */
    this.values = values;
    this.terminal = terminal;
    for (const name of SIGNALS) process.on(name, this.#onSignal);
  }

  /** Aborted by the first Ctrl-C, SIGTERM or SIGHUP, or if the server refuses the token. The second signal ends the program. */
  get signal() {
    return this.#abort.signal;
  }

  get json() {
    return this.values.json === true;
  }

  /**
   * The arguments of these names that have a value. Some calls refuse options that are undefined.
   * @param {...string} names
   */
  pick(...names) {
    return Object.fromEntries(names.filter((name) => this.values[name] !== undefined).map((name) => [name, this.values[name]]));
  }

  /**
   * Prints the result of the command.
   * @param {unknown} result With --json as one line of JSON.
   * @param {string} text Otherwise.
   */
  answer(result, text) {
    if (this.json) this.terminal.printJson(result);
    else if (text !== '') this.terminal.print(text);
  }

  /**
   * From now on, the message of an interruption or an error ends with the command that goes on from here.
   * @param {Record<string, any>} [values] They replace the given values of the same names.
   * @param {Command} [command]
   */
  goOnWith(values, command = this.command) {
    const line = commandLine(command, { ...this.values, ...values });
    this.#goOn = ` To go on: ${line}`;
    this.#goesOnAlike = line === commandLine(this.command, this.values);
  }

  /** From now on, the message of an interruption or an error includes the operations that were billed. @param {string} text */
  hasCost(text) {
    // Requests in flight are billed, too.
    this.#billed = ` Billed so far, at least: ${text}.`;
  }

  /** From now on no command goes on from here. @param {string} why The message says it in the command's place. */
  cannotGoOn(why) {
    this.#goOn = ` ${why}`;
    this.#goesOnAlike = false;
  }

  /**
   * Does something with the database that the options name. Then closes it: increments that wait are sent.
   * @template T
   * @param {(database: Database, store: {storage?: import('./file_storage.js').OutboxStorage, isStored: () => Promise<boolean>, lost: () => number,
   *   user: string | null}) => Promise<T>} action The storage is there if increments wait in files, and `isStored` says whether it has them; `lost` is
   *   how many stored ones were not counted; `user` is whose they are.
   * @param {{stores?: boolean, offline?: boolean, finishes?: boolean}} [how] `stores`: increments wait in files. `offline`: nothing will be sent.
   *   `finishes`: Ctrl-C does not break off a call that is under way.
   * @returns {Promise<T>}
   */
  async withDatabase(action, how) {
    const { database, hasToken, ...store } = await openDatabase(this.values, this.terminal, {
      command: this.command, ...how, ...(how?.finishes ? {} : { signal: this.signal }), onRefused: (error) => {
        this.refusal ??= error;
        this.#abort.abort();
      },
    });
    this.#hasToken = hasToken;
    const result = await action(database, store);
    await database.close();
    return result;
  }

  /** The message about an interruption, or about a token that is refused. @param {unknown} error With which the command has ended. */
  interruption(error) {
    const message = error instanceof Error && error.name === 'ShardlineError' ? ` ${error.message}` : '';
    const why = this.refusal ? `unauthenticated: ${this.refusal.message.replace(/\.?$/, '.')}` : 'interrupted.';
    const advice = this.refusal ? ` Get a new token: ${EXPORT_TOKEN}` : '';
    return `${why}${message}${advice}${this.#billed}${this.#goOn}`;
  }

  /** Advice on an error. @param {any} error */
  advice(error) {
    const isRefused = error?.code === 'permission-denied' || error?.code === 'unauthenticated';
    const token = isRefused && !this.#hasToken ? ` No token was sent: ${EXPORT_TOKEN}` : '';
    // The same command fails again if it is miswritten, or if nothing is there.
    const failsAgain = (error?.code === 'invalid-argument' && error.status === 0) || error?.code === 'not-found';
    return token + this.#billed + (failsAgain && this.#goesOnAlike ? '' : this.#goOn);
  }

  end() {
    for (const name of SIGNALS) process.off(name, this.#onSignal);
    this.terminal.endLine();
  }

  #interrupt() {
    if (!this.#abort.signal.aborted) {
      this.#abort.abort();
      return;
    }
    this.terminal.complain(this.interruption(undefined));
    process.exit(130);
  }
}
