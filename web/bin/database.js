// The database that the options name.

import { setTimeout as sleep } from 'node:timers/promises';

import { connect, ShardlineError } from '../library/index.js';
import { userOfToken } from '../library/users.js';
import { UsageError, withFlags } from './options.js';
import { fileStorage, placeOf } from './file_storage.js';

/** A write that takes longer may hang, such as on a disk of the network. */
const LONGEST_WRITE_MS = 5000;

/**
 * @param {Record<string, any>} values
 * @param {import('./terminal.js').Terminal} terminal
 * @param {{command: import('./options.js').Command, stores?: boolean, offline?: boolean, signal?: AbortSignal, onRefused?: (error: ShardlineError) => void}}
 *   how A request in flight when the signal is aborted gets no answer, which says nothing about the network. `onRefused` is called if increments
 *   wait because the server refuses the token.
 */
export async function openDatabase(values, terminal, { command, stores = false, offline = false, signal, onRefused }) {
  const { database: databaseId, token } = values;
  const projectId = values.project ?? (process.env.GOOGLE_CLOUD_PROJECT || (offline ? 'offline' : undefined));
  if (!projectId) throw new UsageError('Which project? Name it with --project, or in GOOGLE_CLOUD_PROJECT.');
  const host = hostOf(values.host).replace(/\/$/, '');
  const authToken = tokenFor(host, token);
  const storage = stores ? fileStorage(placeOf({ host, projectId, databaseId })) : undefined;
  /** The writes in progress. @type {Set<Promise<void>>} */
  const storing = new Set();
  let isTold = false;
  let isStoring = true;
  let lost = 0;
  /** @type {unknown} Why the last request got no answer. */
  let failure;
  const database = await connect({
    projectId,
    databaseId,
    host,
    fetch: (...request) => fetch(...request).catch((error) => {
      failure = error?.cause ?? error;
      throw error;
    }),
    ...(authToken ? { authToken: () => authToken } : {}),
    storage: storage ? { ...storage, change: (...change) => noted(storing, storage.change(...change)) } : 'memory',
    onRequest: ({ status }) => {
      if (status !== 0 || isTold || signal?.aborted) return;
      isTold = true;
      terminal.complain(`${whyUnreached(host, failure)}; trying again.`);
    },
    onWarning: (warning) => {
      const { code, reason, cause } = warning;
      if (code === 'unauthenticated' && onRefused) return onRefused(warning);
      const isUnstored = reason === 'storage-not-writable';
      if (isUnstored) isStoring = false;
      // A stored increment has ended without being counted; its error is the cause.
      if (cause instanceof ShardlineError) lost += 1;
      terminal.complain(`${code}: ${isUnstored ? `Increments cannot be stored: ${cause instanceof Error ? cause.message : cause}. Unsent increments are lost when this command ends. `
        + 'SHARDLINE_STORE may name another folder.' : withFlags(command, warning)}`);
    },
  });
  /** Whether increments are stored. Resolves when each increment so far has been stored or could not be, and within some seconds. */
  const isStored = async () => {
    const ends = await Promise.race([Promise.allSettled(storing), sleep(LONGEST_WRITE_MS, [{ status: 'unknown' }])]);
    return isStoring && ends.every(({ status }) => status === 'fulfilled');
  };
  return { database, storage, isStored, lost: () => lost, user: userOfToken(authToken), hasToken: Boolean(authToken) };
}

/**
 * Notes a promise in a set while it is pending.
 * @template T
 * @param {Set<Promise<T>>} pending
 * @param {Promise<T>} promise
 */
function noted(pending, promise) {
  pending.add(promise);
  const forget = () => void pending.delete(promise);
  promise.then(forget, forget);
  return promise;
}

/**
 * @param {string} host
 * @param {any} failure Of fetch().
 */
function whyUnreached(host, failure) {
  // If a name has several addresses, each has its own error.
  const code = failure?.code ?? failure?.errors?.[0]?.code;
  if (code === 'ECONNREFUSED') return `Nothing listens at ${host}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `No host is known by the name ${new URL(host).hostname}`;
  return `No answer from ${host}`;
}

/**
 * The token of the environment is for Google's servers alone. Every other host is an emulator, unless a token is given for it.
 * @param {string} host
 * @param {string} [given]
 */
export function tokenFor(host, given) {
  const { protocol, hostname } = new URL(host);
  const isGoogles = protocol === 'https:' && hostname.endsWith('.googleapis.com');
  return given ?? (isGoogles ? process.env.GOOGLE_OAUTH_ACCESS_TOKEN : 'owner');
}

/** @param {string} [given] Default: the variable of emulators. */
export function hostOf(given) {
  const host = given ?? process.env.FIRESTORE_EMULATOR_HOST;
  if (!host) return 'https://firestore.googleapis.com';
  const isGoogles = /\.googleapis\.com(:\d+)?\/?$/i.test(host);
  const address = host.includes('://') ? host : `${isGoogles ? 'https' : 'http'}://${host}`;
  if (/^https?:\/\/[^/?#]+\/?$/.test(address) && URL.canParse(address)) return address;
  throw new UsageError(`${given === undefined ? 'FIRESTORE_EMULATOR_HOST' : '--host'} must be an address such as 127.0.0.1:8080; it is “${host}”.`);
}
