// The embedded Firestore as an emulator for tests.

import { once } from 'node:events';
import { open, rm, stat, writeFile } from 'node:fs/promises';

import { openWorkbench } from '../../library/workbench.js';
import { serveEmbeddedFirestore } from '../http_server.js';
import { UsageError } from '../options.js';
import { counted } from '../terminal.js';
import { readText } from '../text_file.js';

/** The indexes of a project without a file. */
const NO_INDEXES = '{\n  "indexes": [],\n  "fieldOverrides": []\n}\n';

/** @param {import('../context.js').Context} context */
export async function run(context) {
  const { values: { indexes, needed, port, host: address, limits, dialect, seed, latencyMs }, signal, terminal } = context;
  if (needed !== undefined) await checkWritable(needed);
  const declared = indexes === undefined ? NO_INDEXES : await readText(indexes);
  const { createEmbeddedFirestore, rewriteIndexes } = await openWorkbench();
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
  const { text } = rewriteIndexes(declared, { indexes: missingIndexes });
  const failure = needed === undefined ? undefined : await writeFile(needed, text).then(() => undefined, (error) => error);
  const isWritten = needed !== undefined && !failure;
  if (missingIndexes.length === 0) {
    terminal.note('no query lacked an index');
  } else {
    const where = `${isWritten ? needed : 'this'} is the file that was needed`;
    terminal.note(`queries lacked ${counted(missingIndexes.length, 'index')}${indexes === undefined ? '' : ', and were refused'}; ${where}`);
  }
  if (context.json) terminal.printJson({ requests, billed, missingIndexes, indexes: text });
  else if (!isWritten && (failure || missingIndexes.length > 0)) terminal.print(text);
  if (failure) throw new Error(`${needed} cannot be written: ${failure.message}.`, { cause: failure });
}

/**
 * Rather before everything than after hours. Leaves no file behind that was not there.
 * @param {string} file
 */
async function checkWritable(file) {
  const isThere = await stat(file).then(() => true, () => false);
  try {
    await (await open(file, 'a')).close();
    if (!isThere) await rm(file);
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
