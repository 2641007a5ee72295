/** The Chromium that tests drive: that of the environment, else that of Debian's packages (scripts/env chooses alike). */
import { existsSync } from 'node:fs';
import { isLong } from './run.js';

const WHOLE = '/usr/bin/chromium';
/** The same engine without windows. Tests take two thirds of the time in it. */
const SHELL = '/usr/lib/chromium/chromium-headless-shell';

export const CHROMIUM = process.env.CHROMIUM || (!isLong && existsSync(SHELL) ? SHELL : WHOLE);
