import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each run has a folder of its own in it. */
export const RUNS = fileURLToPath(new URL('../../../build/browser', import.meta.url));
export const WEB = fileURLToPath(new URL('../../../web', import.meta.url));
export const TESTS = fileURLToPath(new URL('../..', import.meta.url));

process.env.SHARDLINE_BROWSER_FOLDER ??= join(RUNS, `run-${process.pid}`);

/** All that this run makes: its processes share the folder, and no other run does. */
export const BUILD = process.env.SHARDLINE_BROWSER_FOLDER;

/** Set by global_setup.js. */
export const places = {
  /** This worker’s emulator, `http://127.0.0.1:…`. */
  get emulator() {
    return demand(`SHARDLINE_EMULATOR_${process.env.TEST_PARALLEL_INDEX}`);
  },
  /** The same without the front that words its answers, and that holds an answer back until it has ended, as some proxies do. */
  get exactEmulator() {
    return demand(`SHARDLINE_EXACT_EMULATOR_${process.env.TEST_PARALLEL_INDEX}`);
  },
  /** The page that connects to that emulator. */
  get tutorial() {
    return demand(`SHARDLINE_TUTORIAL_${process.env.TEST_PARALLEL_INDEX}`);
  },
  /** The page as it is without one: it connects to the Firestore inside it. */
  get embeddedTutorial() {
    return demand('SHARDLINE_TUTORIAL_EMBEDDED');
  },
  /** The files of the latter. */
  get tutorialFiles() {
    return demand('SHARDLINE_TUTORIAL_FILES');
  },
  /** The library as `npm pack` makes it: the path of a .tgz file. */
  get tarball() {
    return demand('SHARDLINE_TARBALL');
  },
};

/** @param {string} name */
function demand(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests with playwright.config.js.`);
  return value;
}
