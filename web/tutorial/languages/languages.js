// The languages, and the choice of a reader's language.

/**
 * @typedef {ReturnType<import('intl-messageformat').IntlMessageFormat['getAst']>[number]} MessageFormatElement
 * @typedef {string | MessageFormatElement[]} Message In ICU MessageFormat, or parsed.
 *
 * @typedef {object} Language
 * @property {string} tag As in `<html lang>`.
 * @property {string} name In the language itself.
 * @property {'ltr' | 'rtl'} dir
 * @property {string} locale For numbers, lists, times and plurals.
 * @property {() => Promise<Record<string, Message>>} load
 */

/** @type {Language[]} */
export const LANGUAGES = [
  { tag: 'en', name: 'English', dir: 'ltr', locale: 'en', load: async () => (await import('./en.js')).messages },
  { tag: 'de', name: 'Deutsch', dir: 'ltr', locale: 'de', load: async () => (await import('./de.js')).messages },
  { tag: 'es', name: 'Español', dir: 'ltr', locale: 'es', load: async () => (await import('./es.js')).messages },
  // Digits as in the texts themselves, in code, and in Google’s Arabic pages: some browsers would take others for `ar`.
  { tag: 'ar', name: 'العربية', dir: 'rtl', locale: 'ar-u-nu-latn', load: async () => (await import('./ar.js')).messages },
  { tag: 'tr', name: 'Türkçe', dir: 'ltr', locale: 'tr', load: async () => (await import('./tr.js')).messages },
  { tag: 'ja', name: '日本語', dir: 'ltr', locale: 'ja', load: async () => (await import('./ja.js')).messages },
];

/**
 * For tests: English in letters that no reader takes for English. Plain letters on the page are missing from the texts.
 * @type {Language}
 */
export const PSEUDO = {
  tag: 'en-XA', name: 'Pseudo', dir: 'ltr', locale: 'en', load: async () => (await import('./pseudo.js')).load(),
};

/**
 * @param {(string | null | undefined)[]} wanted Tags, the reader's favourite first.
 * @returns {Language}
 */
export function chooseLanguage(wanted) {
  for (const tag of wanted) {
    if (tag === PSEUDO.tag) return PSEUDO;
    const [base] = (tag ?? '').toLowerCase().split('-');
    const language = LANGUAGES.find((one) => one.tag === base);
    if (language) return language;
  }
  return /** @type {Language} */ (LANGUAGES[0]);
}
