/**
 * The page's policy lets no text become code (see vite.config.js), and to a browser the address of a worker is such a text.
 * Vouches for addresses of the page's own files; all else stays refused. Not every browser knows Trusted Types.
 */
export function trustOwnFiles() {
  /** @type {{trustedTypes?: {createPolicy: (name: string, rules: {createScriptURL: (url: string) => string | null}) => unknown}}} */
  const { trustedTypes } = /** @type {any} */ (globalThis);
  trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => (new URL(url, location.href).origin === location.origin ? url : null),
  });
}
