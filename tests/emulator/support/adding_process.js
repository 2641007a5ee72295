/**
 * A process that adds 1 to one row of a storage, again and again, and prints a line each time the row is stored.
 *
 *   node adding_process.js <folder of the storage> <how often>
 */
import { fileStorage } from '../../../web/bin/file_storage.js';

const [folder, times] = process.argv.slice(2);
const storage = fileStorage(String(folder));
for (let time = 0; time < Number(times); time += 1) {
  await storage.change('id', (/** @type {any} */ row) => ({ id: 'id', text: String(Number(row?.text ?? 0) + 1) }), { durable: false });
  process.stdout.write('stored\n');
}
