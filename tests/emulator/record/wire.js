/** One-word builders of wire values and query parts. */

/** @param {string | number | bigint} value */
export const integer = (value) => ({ integerValue: String(value) });
/** @param {number | string} value 'NaN', 'Infinity' and '-Infinity' are strings on the wire */
export const double = (value) => ({ doubleValue: value });
/** @param {string} value */
export const string = (value) => ({ stringValue: value });
/** @param {string} value */
export const timestamp = (value) => ({ timestampValue: value });
/** @param {string} value base64 */
export const bytes = (value) => ({ bytesValue: value });
/** @param {number} latitude @param {number} longitude */
export const geo = (latitude, longitude) => ({ geoPointValue: { latitude, longitude } });
/** @param {...object} values */
export const array = (...values) => ({ arrayValue: { values } });
/** @param {Record<string, object>} fields */
export const map = (fields) => ({ mapValue: { fields } });
/** @param {...number} elements */
export const vector = (...elements) => map({ __type__: string('__vector__'), value: array(...elements.map(double)) });

/** @param {string} fieldPath @param {string} op @param {object} value */
export const filter = (fieldPath, op, value) => ({ fieldFilter: { field: { fieldPath }, op, value } });
/** @param {string} fieldPath @param {string} direction */
export const order = (fieldPath, direction = 'ASCENDING') => ({ field: { fieldPath }, direction });
