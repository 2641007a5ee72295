/** The servers of most tests: Google's emulator, a proxy in front of it that loses requests and answers, and a second way in. */
import { openDatabase } from './database.js';
import { startFaultProxy } from './fault_proxy.js';
import { RestClient } from './rest.js';

/** Starts both, for the top level of a test file. */
export async function startStage() {
  const emulator = await openDatabase();
  const { projectId } = emulator;
  const proxy = await startFaultProxy({ target: emulator.url });
  const rest = new RestClient({ url: emulator.url, projectId });
  return {
    emulator,
    projectId,
    proxy,
    rest,

    /** No faults, and no documents: before each test of most files. */
    async reset() {
      proxy.reset();
      await rest.deleteAll();
    },

    /** After all tests of the file. */
    async stop() {
      await proxy.stop();
      await emulator.stop();
    },
  };
}
