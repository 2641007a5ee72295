/** The address of the program that the code field has just made. */
let program = '';

/**
 * The page's policy lets no text become code (see vite.config.js), and to a browser the address of a worker is such a text.
 * Vouches for addresses of the page's own files, and for one program of the code field; all else stays refused. Not every browser knows Trusted Types.
 */
export function trustOwnFiles() {
  /** @type {{trustedTypes?: {createPolicy: (name: string, rules: {createScriptURL: (url: string) => string | null}) => unknown}}} */
  const { trustedTypes } = /** @type {any} */ (globalThis);
  trustedTypes?.createPolicy('default', { createScriptURL: (url) => (isOwnFile(url) || isProgram(url) ? url : null) });
}

/**
 * Vouches for one worker with this program. Any other text with an address, such as one that an injected script has made, stays refused.
 * @param {string} url Of a blob.
 */
export function trustOnce(url) {
  program = url;
}

/** @param {string} url */
function isOwnFile(url) {
  const { origin, protocol } = new URL(url, location.href);
  // The origin of a blob's address is the page's, too.
  return origin === location.origin && protocol === location.protocol;
}

/** @param {string} url */
function isProgram(url) {
  const isVouchedFor = url === program;
  if (isVouchedFor) program = '';
  return isVouchedFor;
}
