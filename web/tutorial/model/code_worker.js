// The part of the code field's worker that is not the reader's: the worker's program imports it, and then has the reader's code (code_session.js makes
// the program). Browsers evaluate a module only after the modules that it imports. The last line below therefore runs before the reader's first one, also
// if the code closes the function that it is put into.
//
// The threat is a text that someone asks readers to paste:
// - The text may want the site's data in the browser, other workers, tabs or channels. lockDown() has removed every name that leads there.
// - The text may want to send something to another host, or to this site. lockDown() has removed every name for that, too. import() stays, because it is
//   no name. A worker made from a text inherits the page's policy, whose script-src lets import() load this site's own files alone.
// - The text may want to become code of the page. The page never has it as code, and shows its output as text (elements/code_field.js).
// - The text may run for ever. code_session.js ends the worker.

import { MOST_LINES } from './code_program.js';
import { failureOf, namesFor, openTrial, perform } from './code_run.js';
import { lockDown } from './lockdown.js';

/** @typedef {import('./code_run.js').WireDocument} WireDocument */

/** Taken before it is removed: from then on this module alone can send messages to the page. @type {(message: object) => void} */
const tell = self.postMessage.bind(self);
const trial = await begin();
const names = namesFor(trial, { onLine: (kind, line) => tell({ kind, line }), onCut: () => tell({ isCut: true }) });
// The library's own calls are the first in the stack of an error: Chromium's usual ten would leave out the line of the reader's code.
Object.assign(Error, { stackTraceLimit: 50 });
self.addEventListener('error', (event) => tellStray(event, event.error));
self.addEventListener('unhandledrejection', (event) => tellStray(event, event.reason));
let strays = 0;

/**
 * Errors that nothing has caught, such as that of a timer.
 * @param {Event} event
 * @param {unknown} error
 */
function tellStray(event, error) {
  event.preventDefault();
  strays += 1;
  // The page shows no more lines.
  if (strays <= MOST_LINES) tell({ stray: failureOf(error) });
}

/** If this fails, the module does, and no line of the reader's code runs. */
async function begin() {
  try {
    const opened = await openTrial((bill) => tell({ bill }));
    lockDown(globalThis);
    return opened;
  } catch (error) {
    tell({ broken: failureOf(error).message });
    throw error;
  }
}

/**
 * The program calls this. It is a name of the worker because bundlers keep no exports of a worker's file.
 * @param {WireDocument[]} documents
 * @param {() => Promise<unknown>} code
 */
async function runCode(documents, code) {
  await trial.fill(documents);
  tell({ isRunning: true });
  const end = await perform(code);
  await trial.tellBill();
  tell({ end });
}

Object.assign(globalThis, names, { runCode });
