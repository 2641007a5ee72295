/** Whether this is the long run, which has all tests. The default run leaves out the tests with the tag `@long`, and all measurements. */
export const isLong = process.env.SHARDLINE_RUN === 'long';

/**
 * For tests that come in a row: the default run shows one of them, or a few.
 * @param {boolean} isShown
 */
export const longUnless = (isShown) => (isShown ? {} : { tag: '@long' });
