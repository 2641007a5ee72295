/**
 * A process that counts, and that tests kill: for each number n in its arguments it increments a counter by 4 to the power of n. It asks for all of
 * them at once, in several rows, and prints n when that increment is counted. In base 4, each digit of the total says how often one increment was
 * counted.
 *
 *   node counting_process.js <url> <folder of the storage> <path> <number>…
 */
import { connect } from '../../../web/library/index.js';
import { fileStorage } from '../../../web/bin/file_storage.js';

const [host, folder, path = '', ...numbers] = process.argv.slice(2);
const db = await connect({ projectId: 'killed', host, storage: fileStorage(String(folder)) });
await Promise.all(numbers.map(async (number) => {
  // Those of other options are in other rows.
  await db.counter(path, { shards: 3 + Number(number) % 4, flushMs: 0 }).increment(4n ** BigInt(number));
  process.stdout.write(`${number}\n`);
}));
await db.close();
