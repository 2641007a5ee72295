// Serves Firestore's streams on an embedded Firestore to clients that speak WebChannel.

import { drawId } from '../../draw_id.js';
import { askOf, bill, sufferFaults } from './ask.js';
import { ListenStream } from './listen_stream.js';
import { WebChannels } from './web_channel.js';
import { WriteStream } from './write_stream.js';

/**
 * @typedef {{channels: WebChannels, noteWrite: (isEmptied?: boolean) => void, sufferFaults: () => Promise<Response>}} Streams Call `noteWrite` if other
 *   clients may have written. `isEmptied`: all documents of a database were deleted at once, with their former versions.
 *
 * @param {import('../../workbench.js').EmbeddedFirestore} simulator
 * @returns {Streams}
 */
export function openStreams(simulator) {
  /** @type {Set<ListenStream>} */
  const listening = new Set();
  const ask = askOf(simulator);
  const read = askOf(simulator, { isBilled: false });
  let generation = drawId();
  const noteWrite = (isEmptied = false) => {
    if (isEmptied) generation = drawId();
    for (const stream of listening) stream.refresh();
  };
  const channels = new WebChannels((name, database, client) => {
    if (name === 'Write') return new WriteStream(ask, database, client);
    if (name !== 'Listen') return undefined;
    const stream = new ListenStream(read, (reads) => bill(simulator, reads), () => generation, client, () => listening.delete(stream));
    listening.add(stream);
    return stream;
  });
  return { channels, noteWrite, sufferFaults: () => sufferFaults(simulator) };
}
