import { test } from 'node:test';
import { isLong } from './run.js';

/** A test that the default run leaves out, because it takes long, or because another test tells more. */
export const longTest = isLong ? test : () => {};
