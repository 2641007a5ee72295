// The embedded Firestore as an emulator for tests.

import { once } from 'node:events';
import { open, rm, stat } from 'node:fs/promises';

import { openWorkbench } from '../../library/workbench.js';
import { serveEmbeddedFirestore } from '../http_server.js';
import { UsageError } from '../options.js';
import { counted } from '../terminal.js';
import { writeText } from '../text_file.js';
import { readIndexFile } from './index_file.js';

/** The indexes of a project without a file. */
const NO_INDEXES = '{\n  "indexes": [],\n  "fieldOverrides": []\n}\n';

/** @param {import('../context.js').Context} context */
export async function run(context) {
  const { values: { indexes, needed, port, host: address, limits, dialect, seed, latencyMs }, signal, terminal } = context;
  const isThere = needed !== undefined && await checkWritable(needed);
  const declared = indexes === undefined ? NO_INDEXES : await readIndexFile(indexes);
  const { createEmbeddedFirestore, rewriteIndexes } = await openWorkbench();
  // A file of earlier runs gets the missing indexes, and loses none.
  const before = (isThere && await readIndexFile(needed)) || declared;
  rewriteIndexes(before, { indexes: [] });
  const simulator = await createEmbeddedFirestore({
    limits, dialect, seed, latencyMs: readLatency(latencyMs), indexes: declared, requireIndexes: indexes === undefined ? 'note' : true,
  });
  const serving = await serveEmbeddedFirestore(simulator, { port, address, onStranger: (message) => terminal.complain(message) }).catch((cause) => {
    if (cause.code !== 'EADDRINUSE') throw cause;
    throw new Error(`Another program listens at ${address}:${port}. Choose another port with --port, or any free one with --port 0.`, { cause });
  });
  context.answer({ host: serving.host, url: serving.url }, `Firestore at ${serving.url}\nexport FIRESTORE_EMULATOR_HOST=${serving.host}`);
  if (!signal.aborted) await once(signal, 'abort');
  await serving.stop();

  const { requests, billed, missingIndexes } = await simulator.snapshot();
  await simulator.close();
  terminal.note(`${counted(requests, 'request')}; billed ${counted(billed.reads, 'read')}, ${counted(billed.writes, 'write')}, ${counted(billed.deletes, 'delete')}`);
  const { text } = rewriteIndexes(before, { indexes: missingIndexes });
  const failure = needed === undefined ? undefined : await writeText(needed, text).then(() => undefined, (error) => error);
  const isWritten = needed !== undefined && !failure;
  if (missingIndexes.length === 0) {
    terminal.note('no query lacked an index');
  } else {
    const where = `${isWritten ? needed : 'this'} is the file that was needed`;
    terminal.note(`queries lacked ${counted(missingIndexes.length, 'index')}${indexes === undefined ? '' : ', and were refused'}; ${where}`);
  }
  if (context.json) terminal.printJson({ requests, billed, missingIndexes, indexes: text });
  else if (!isWritten && (failure || missingIndexes.length > 0)) terminal.print(text);
  if (failure) throw failure;
}

/**
 * Rather before everything than after hours. Leaves no file behind that was not there.
 * @param {string} file
 * @returns {Promise<boolean>} Whether it has a content to keep.
 */
async function checkWritable(file) {
  const old = await stat(file).catch(() => undefined);
  try {
    await (await open(file, 'a')).close();
    if (!old) await rm(file);
    return old?.isFile() === true;
  } catch (cause) {
    throw new UsageError(`--needed: ${file} cannot be written: ${/** @type {Error} */ (cause).message}.`, { cause });
  }
}

/**
 * @param {string} text
 * @returns {[number, number]}
 */
function readLatency(text) {
  const [least = NaN, most = least, ...more] = text.split(',').map(Number);
  if (!(least >= 0 && most >= least) || more.length > 0) {
    throw new UsageError(`--latency-ms must be one number, or two such as 5,30, the smaller one first; it is “${text}”.`);
  }
  return [least, most];
}
