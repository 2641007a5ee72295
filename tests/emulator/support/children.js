/** Processes that a test starts end with it, also when its runner tells it to end. */
/** @typedef {{kill(signal: NodeJS.Signals): boolean, once(event: 'exit', listener: () => void): unknown}} Child */

/** @type {Set<Child>} */
const running = new Set();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
// Node's runner ends a test file by a signal, which does not cause the event above. Other runners care for signals themselves.
if (process.env.NODE_TEST_CONTEXT) process.once('SIGTERM', () => process.exit(143));

/** @param {Child} child */
export function endsWithThisProcess(child) {
  running.add(child);
  child.once('exit', () => running.delete(child));
}
