import { describe, test } from 'node:test';
import { isLong } from '../../support/run.js';

/** A test that the default run leaves out, because each step is a process, because it waits between attempts, or because another test tells more. */
export const longTest = isLong ? test : () => {};

/** The same for a group of tests. */
export const longDescribe = isLong ? describe : () => {};
