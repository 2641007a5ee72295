/** The enumerators of Firestore's REST API by their numbers (google/firestore/v1/query.proto, write.proto), which may be sent in place of their names. */
const ENUMS = {
  fieldFilter: ['OPERATOR_UNSPECIFIED', 'LESS_THAN', 'LESS_THAN_OR_EQUAL', 'GREATER_THAN', 'GREATER_THAN_OR_EQUAL', 'EQUAL', 'NOT_EQUAL', 'ARRAY_CONTAINS', 'IN', 'ARRAY_CONTAINS_ANY', 'NOT_IN'],
  unaryFilter: ['OPERATOR_UNSPECIFIED', '', 'IS_NAN', 'IS_NULL', 'IS_NOT_NAN', 'IS_NOT_NULL'],
  compositeFilter: ['OPERATOR_UNSPECIFIED', 'AND', 'OR'],
  direction: ['DIRECTION_UNSPECIFIED', 'ASCENDING', 'DESCENDING'],
  distanceMeasure: ['DISTANCE_MEASURE_UNSPECIFIED', 'EUCLIDEAN', 'COSINE', 'DOT_PRODUCT'],
  setToServerValue: ['SERVER_VALUE_UNSPECIFIED', 'REQUEST_TIME'],
};

/**
 * A request's body with other words for its enumerators.
 * @param {any} body
 * @param {(number: number, name: string) => unknown} word What stands for an enumerator.
 * @param {string} [parent] The member that holds `body`.
 * @returns {any}
 */
export function withEnums(body, word, parent = '') {
  if (Array.isArray(body)) return body.map((element) => withEnums(element, word, parent));
  if (body === null || typeof body !== 'object') return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => {
    if (key === 'nullValue') return [key, word(0, 'NULL_VALUE')];
    const names = /** @type {Record<string, string[]>} */ (ENUMS)[key === 'op' ? parent : key];
    const number = typeof value === 'string' ? names?.indexOf(value) ?? -1 : -1;
    return [key, number < 0 ? withEnums(value, word, key) : word(number, value)];
  }));
}

/** Each number from one below the first to one beyond the last, for each enum: it also sends numbers without a name. */
export const ENUM_NUMBERS = Object.fromEntries(Object.entries(ENUMS).map(([name, names]) => [name, Array.from({ length: names.length + 2 }, (_, index) => index - 1)]));
