// Numbers as people type them: with the decimal separator of their language, in its digits, grouped or not.

const DIRECTION_MARKS = /[\u061c\u200e\u200f\u2066-\u2069]/g;
/** A space or an apostrophe between thousands. */
const THOUSANDS = /(\p{Nd})[\s'’](?=\p{Nd}{3}(?!\p{Nd}))/gu;
const GROUPED = /^\d{1,3}([.,]\d{3})+$/;

/**
 * @param {string} typed
 * @param {string} locale Of the reader. It decides whether `1.500` means one and a half thousand, or one and a half.
 * @returns {number | bigint | null} A bigint if a number would not hold all digits of an integer; null if nothing readable is there.
 */
export function parseNumber(typed, locale) {
  // NFKC turns full-width digits, which Japanese keyboards type, into ASCII.
  const plain = typed.trim().normalize('NFKC').replace(DIRECTION_MARKS, '').replace(THOUSANDS, '$1').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, asciiDigit)
    .replaceAll('\u066b', '.').replaceAll('\u066c', '').replaceAll('\u2212', '-').replaceAll('،', ',');
  const [, sign = '', digits = ''] = /^([+-]?)(\d[\d.,]*|[.,]\d+)$/.exec(plain) ?? [];
  const [whole, fraction] = split(digits, locale);
  if (!/^\d*$/.test(fraction) || (/[.,]/.test(whole) && !GROUPED.test(whole)) || digits === '') return null;
  const integer = whole.replace(/[.,]/g, '') || '0';
  if (fraction !== '') return Number(`${sign}${integer}.${fraction}`);
  const exact = BigInt(integer) * (sign === '-' ? -1n : 1n);
  return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;
}

/**
 * @param {string} digits
 * @param {string} locale
 * @returns {[whole: string, fraction: string]}
 */
function split(digits, locale) {
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const mark = digits.charAt(last);
  const isOnly = digits.replace(/\d/g, '').length === 1;
  const isRepeated = digits.indexOf(mark) !== last;
  // A single mark separates thousands only if it stands where they end, and is not the decimal separator of the language.
  const isGroup = isRepeated || (isOnly && GROUPED.test(digits) && !digits.startsWith('0') && mark !== decimalSeparator(locale));
  return last < 0 || isGroup ? [digits, ''] : [digits.slice(0, last), digits.slice(last + 1)];
}

/** @param {string} locale */
function decimalSeparator(locale) {
  return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
}

/** @param {string} digit Arabic or Persian. */
function asciiDigit(digit) {
  const code = digit.codePointAt(0) ?? 0;
  return String(code - (code < 0x6f0 ? 0x660 : 0x6f0));
}
