// Where increments wait, for programs: texts by key, in files of one folder, which any number of processes may use at once, and of which
// any may be killed at any moment.
//
//   <hash of key>.<generation>   {"key", "text"}; the file of the highest generation holds, older ones are left over from a process that
//                                was killed. Without a text the key was removed.
//   <hash of key>.lock           is there while a process changes the text. The process may be gone: after a while the lock is broken
//   <random>.new                 is being written
//
// A file never changes. The next generation is written aside, and then given its name by link(), which fails if the name is taken. A
// process that slept while its lock was broken finds its name taken, or a higher one there: it writes over nothing, and knows.

import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UNREADABLE } from '../library/outbox/stored_text.js';

/** @typedef {import('../library/outbox/storage.js').OutboxStorage} OutboxStorage */

/** A lock is held for some milliseconds. This is less than the outbox waits for an answer of its storage. */
const LOCK_MS = 2000;
const LOOK_MS = 5;
/** How long to leave alone what another process may be writing. */
const LEFTOVER_MS = 60_000;

/**
 * The folder in which increments of a database wait.
 * @param {{host: string, projectId: string, databaseId: string}} database
 */
export function placeOf({ host, projectId, databaseId }) {
  const { SHARDLINE_STORE, XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const top = SHARDLINE_STORE || join(XDG_STATE_HOME || LOCALAPPDATA || join(homedir(), '.local', 'state'), 'shardline');
  return join(top, ...[host, projectId, databaseId].map(encodeURIComponent));
}

/**
 * @param {string} folder Is made if it is not there.
 * @returns {OutboxStorage}
 */
export function fileStorage(folder) {
  const ready = () => mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    async update(key, change) {
      await ready();
      const stem = createHash('sha256').update(key).digest('hex').slice(0, 40);
      const release = await lock(join(folder, `${stem}.lock`));
      try {
        const generations = (await list(folder)).filter((file) => file.stem === stem);
        const last = generations.at(-1);
        const before = await readIntact(folder, generations);
        const text = change(before);
        if (text === before) return;
        const generation = (last?.generation ?? 0) + 1;
        await write(folder, { name: `${stem}.${generation}`, content: { key, text } });
        const now = (await list(folder)).findLast((file) => file.stem === stem);
        if (now?.generation !== generation) throw new Error(`The lock ${stem}.lock was broken, and another process has written meanwhile.`);
        await Promise.all(generations.map((file) => remove(join(folder, file.name))));
      } finally {
        await release();
      }
    },
    async all() {
      await ready();
      /** @type {Map<string, string>} */
      const texts = new Map();
      const last = new Map((await list(folder)).map((file) => [file.stem, file]));
      for (const file of last.values()) {
        const { key, text } = await readLatest(folder, file).catch((error) => {
          if (!(error instanceof SyntaxError)) throw error;
          return { key: `${UNREADABLE}${file.name}`, text: `in the folder ${folder}` };
        });
        if (text !== undefined) texts.set(key, text);
      }
      return texts;
    },
    close() {},
  };
}

/**
 * @typedef {{name: string, stem: string, generation: number}} Generation
 *
 * @param {string} folder
 * @returns {Promise<Generation[]>} The oldest of each key first.
 */
async function list(folder) {
  const files = [];
  for (const name of await readdir(folder)) {
    const match = /^([0-9a-f]{40})\.(\d+)$/.exec(name);
    if (match) files.push({ name, stem: String(match[1]), generation: Number(match[2]) });
    else if (name.endsWith('.new')) await removeIfOld(join(folder, name));
  }
  return files.sort((one, other) => one.generation - other.generation);
}

/**
 * @param {string} folder
 * @param {Generation} file
 * @returns {Promise<{key: string, text?: string}>}
 */
async function read(folder, { name }) {
  return JSON.parse(await readFile(join(folder, name), 'utf8'));
}

/**
 * The text that holds. A file that cannot be read is set aside, and the generation before it holds, if it is there.
 * @param {string} folder
 * @param {Generation[]} generations The oldest first.
 * @returns {Promise<string | undefined>}
 */
async function readIntact(folder, generations) {
  for (const file of generations.toReversed()) {
    try {
      return (await read(folder, file)).text;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      await rename(join(folder, file.name), join(folder, `${file.name}.unreadable`));
    }
  }
  return undefined;
}

/**
 * Somebody else may be writing the next generation, and have removed this one.
 * @param {string} folder
 * @param {Generation} file
 * @returns {Promise<{key: string, text?: string}>}
 */
async function readLatest(folder, file) {
  try {
    return await read(folder, file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    const latest = (await list(folder)).findLast(({ stem }) => stem === file.stem);
    return latest ? readLatest(folder, latest) : { key: '' };
  }
}

/**
 * @param {string} folder
 * @param {{name: string, content: object}} file
 */
async function write(folder, { name, content }) {
  const aside = join(folder, `${randomUUID()}.new`);
  try {
    const handle = await open(aside, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(content));
      // Always, for the generation before goes.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(aside, join(folder, name));
  } finally {
    await remove(aside);
  }
  await syncFolder(folder);
}

/** So that also the name of a new file outlives a power failure. @param {string} folder */
async function syncFolder(folder) {
  if (process.platform === 'win32') return; // Its folders cannot be opened, and keep names by themselves.
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * @param {string} path Of the lock.
 * @returns {Promise<() => Promise<void>>} Releases it.
 */
async function lock(path) {
  for (;;) {
    try {
      await (await open(path, 'wx', 0o600)).close();
      return () => remove(path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    await removeIfOld(path, LOCK_MS);
    await sleep(LOOK_MS * (1 + Math.random()));
  }
}

/**
 * @param {string} path
 * @param {number} [ms]
 */
async function removeIfOld(path, ms = LEFTOVER_MS) {
  try {
    if (Date.now() - (await stat(path)).mtimeMs > ms) await remove(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

/** @param {string} path Of a file that may be gone already. */
async function remove(path) {
  await unlink(path).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error;
  });
}

/** @param {unknown} error */
function codeOf(error) {
  return /** @type {NodeJS.ErrnoException} */ (error).code;
}
