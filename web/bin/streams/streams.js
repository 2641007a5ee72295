// Firestore's streams on an embedded Firestore, for clients that speak WebChannel.

import { askOf } from './ask.js';
import { ListenStream } from './listen_stream.js';
import { WebChannels } from './web_channel.js';
import { WriteStream } from './write_stream.js';

/**
 * @param {import('../../library/workbench.js').EmbeddedFirestore} simulator
 * @returns {{channels: WebChannels, noteWrite: () => void}} `noteWrite` is to be called when others may have written.
 */
export function openStreams(simulator) {
  /** @type {Set<ListenStream>} */
  const listening = new Set();
  const ask = askOf(simulator);
  const noteWrite = () => {
    for (const stream of listening) stream.refresh();
  };
  const channels = new WebChannels((name, database, client) => {
    if (name === 'Write') {
      return new WriteStream(async (path, body) => {
        try {
          return await ask(path, body);
        } finally {
          noteWrite(); // Also when the answer got lost.
        }
      }, database, client);
    }
    if (name !== 'Listen') return undefined;
    const stream = new ListenStream(ask, client, () => listening.delete(stream));
    listening.add(stream);
    return stream;
  });
  return { channels, noteWrite };
}
