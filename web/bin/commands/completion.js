// Completion of commands and options in shells.

import { SCRIPTS } from '../completion.js';

/** @param {import('../context.js').Context} context */
export async function run(context) {
  const text = String(SCRIPTS[context.values.shell]);
  context.answer({ text }, text);
}
