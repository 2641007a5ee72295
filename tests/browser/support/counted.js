import { RestClient } from '../../emulator/support/rest.js';
import { places } from './places.js';

/** The server's count. Any client may ask. @param {string} [counter] @returns {Promise<number>} */
export async function counted(counter = 'counters/c') {
  const shards = await new RestClient({ url: places.emulator }).list(`${counter}/shards`);
  return shards.reduce((sum, { fields }) => sum + Number(fields.count.integerValue), 0);
}
