// The storage of waiting increments for programs: a file for each row, in one folder. Any number of processes may use it at once, and each of
// them may be killed at any moment. Lock files exclude each other's changes; rename() makes each write atomic.
//
//   <id>.row       The row, as JSON.
//   <id>.lock      Is there while a process changes the row. The process may be gone: after a while the lock is broken.
//   <random>.new   Is being written, and then gets the row's name by rename(), wholly or not at all.
//
// A process that sleeps while its lock is broken may bring back a row that another one has sent: its marker counts it once.

import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { UsageError } from './options.js';

/**
 * @typedef {import('../library/storage/storage.js').OutboxStorage} OutboxStorage
 * @typedef {import('../library/storage/storage.js').KeptRow} KeptRow
 */

/** A lock is held for some milliseconds. This is less than the outbox waits for an answer of its storage. */
const LOCK_MS = 2000;
/** A process that waits for a lock longer gives up, and tries the change again later. */
const LONGEST_LOCK_MS = 5000;
const LOOK_MS = 5;
/** Files younger than this stay: another process may be writing them. */
const LEFTOVER_MS = 60_000;

/**
 * The folder in which increments of a database wait.
 * @param {{host: string, projectId: string, databaseId: string}} database
 */
export function placeOf({ host, projectId, databaseId }) {
  const { SHARDLINE_STORE, XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const state = XDG_STATE_HOME || LOCALAPPDATA;
  // The next command may be called in another folder.
  if (!SHARDLINE_STORE && !state && !isAbsolute(homedir())) throw new UsageError('Where may increments wait? Name a folder in SHARDLINE_STORE: HOME is no absolute path.');
  const top = SHARDLINE_STORE || join(state || join(homedir(), '.local', 'state'), 'shardline');
  return join(top, ...[host, projectId, databaseId].map(encodeURIComponent));
}

/**
 * @param {string} folder Is made if it is not there.
 * @returns {OutboxStorage}
 */
export function fileStorage(folder) {
  const ready = () => mkdir(folder, { recursive: true, mode: 0o700 });
  return {
    async change(id, change) {
      await ready();
      const path = join(folder, `${id}.row`);
      const release = await lock(join(folder, `${id}.lock`));
      try {
        const before = await readRow(path);
        const after = change(before);
        if (after === undefined) await remove(path);
        else if (after !== before) await write(folder, path, after);
      } finally {
        await release();
      }
    },
    async read() {
      await ready();
      const rows = [];
      for (const name of await readdir(folder)) {
        const path = join(folder, name);
        if (name.endsWith('.new')) await removeIfOld(path);
        else if (name.endsWith('.row')) rows.push(await readOrName(path));
      }
      return rows.filter((row) => row !== undefined);
    },
  };
}

/** @param {string} path @returns {Promise<KeptRow | undefined>} */
async function readRow(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A file without a row is reported by its name. @param {string} path @returns {Promise<any>} */
async function readOrName(path) {
  const row = await readRow(path).catch(() => null);
  return row === undefined || row?.id === basename(path, '.row') ? row : { file: path };
}

/** @param {string} folder @param {string} path @param {KeptRow} row */
async function write(folder, path, row) {
  const aside = join(folder, `${randomUUID()}.new`);
  try {
    const handle = await open(aside, 'wx', 0o600);
    try {
      await handle.writeFile(JSON.stringify(row));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(aside, path);
  } finally {
    await remove(aside);
  }
  await syncFolder(folder);
}

/** Makes the name of a new file outlive a power failure. @param {string} folder */
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
  for (const end = performance.now() + LONGEST_LOCK_MS; performance.now() < end;) {
    try {
      await (await open(path, 'wx', 0o600)).close();
      return () => remove(path);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    await removeIfOld(path, LOCK_MS);
    await sleep(LOOK_MS * (1 + Math.random()));
  }
  throw new Error(`${path} has been there for ${LONGEST_LOCK_MS} ms`);
}

/**
 * @param {string} path
 * @param {number} [ms]
 */
async function removeIfOld(path, ms = LEFTOVER_MS) {
  try {
    // The clock may have been set back since.
    if (Math.abs(Date.now() - (await stat(path)).mtimeMs) > ms) await remove(path);
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
