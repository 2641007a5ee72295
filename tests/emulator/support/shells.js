/** Shells in which a test runs the command line, each with a project of its own: on `shardline serve`, or on Google's emulator. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, shellIn } from './command_line.js';
import { openDatabase } from './database.js';

/** Starts both, for the top level of a test file. */
export async function openShells() {
  const folder = await mkdtemp(join(tmpdir(), 'shardline-cli-'));
  const [server, emulator] = await Promise.all([serve(), openDatabase()]);
  return {
    /** The folder for files: the storage, and the files that a test writes. */
    folder,
    server,
    emulator,

    /** @param {string} project @param {{host: string}} [where] */
    shell: (project, where = server) => shellIn({
      FIRESTORE_EMULATOR_HOST: where.host, GOOGLE_CLOUD_PROJECT: project, SHARDLINE_STORE: join(folder, project),
    }),

    /** After all tests of the file. */
    async stop() {
      await Promise.all([server.stop(), emulator.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
