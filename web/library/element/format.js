// Formats numbers in the language around an element.

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * @param {Element} element
 * @returns {string} The inherited language, also into shadow trees; empty if no element has one.
 */
function languageOf(element) {
  for (let at = element; ;) {
    const found = at.closest('[lang]');
    if (found) return found.getAttribute('lang') ?? '';
    const root = at.getRootNode();
    // Not by its class, which is another one in another document.
    if (!('host' in root)) return '';
    at = /** @type {ShadowRoot} */ (root).host;
  }
}

/**
 * @param {Element} element
 * @param {string | null} notation `compact`: 1.2K.
 */
export function formatOf(element, notation) {
  const language = languageOf(element);
  const key = `${language} ${notation}`;
  const format = formats.get(key) ?? makeFormat(language, notation === 'compact' ? { notation } : {});
  formats.set(key, format);
  return format;
}

/**
 * @param {string} language
 * @param {Intl.NumberFormatOptions} options
 */
function makeFormat(language, options) {
  try {
    return new Intl.NumberFormat(language || undefined, options);
  } catch {
    // No language is called so.
    return new Intl.NumberFormat(undefined, options);
  }
}
