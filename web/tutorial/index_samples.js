// Files and an error to try the tools of chapter 8 on.

/** @param {...string} fields A minus in front stands for descending. */
const composite = (/** @type {string} */ collectionGroup, ...fields) => ({
  collectionGroup,
  queryScope: 'COLLECTION',
  fields: fields.map((field) => ({ fieldPath: field.replace('-', ''), order: field.startsWith('-') ? 'DESCENDING' : 'ASCENDING' })),
});

/** @param {object[]} indexes */
const file = (...indexes) => `${JSON.stringify({ indexes, fieldOverrides: [] }, null, 2)}\n`;

/** By the words of the address. */
export const INDEX_SAMPLES = {
  instruments: file(
    composite('instruments', 'exchange', '-timestamp'),
    composite('instruments', '-timestamp', 'price.currency'),
  ),
  chat: file(
    composite('messages', 'room', '-createdAt'),
    composite('rooms', 'owner', 'name'),
  ),
};

/** The rising fields of each sample, for auditIndexes(). */
export const RISING_IN_SAMPLES = {
  instruments: { instruments: ['timestamp'] },
  chat: { messages: ['createdAt'] },
};

/** Firestore's message for the documentation's second query. */
export const MISSING_INDEX_ERROR = 'FAILED_PRECONDITION: The query requires an index. You can create it here: '
  + 'https://console.firebase.google.com/v1/r/project/my-app/firestore/indexes?create_composite='
  + 'Ckpwcm9qZWN0cy9teS1hcHAvZGF0YWJhc2VzLyhkZWZhdWx0KS9jb2xsZWN0aW9uR3JvdXBzL2luc3RydW1lbnRzL2luZGV4ZXMvXxABGgwKCGV4Y2hhbmdlEAEa'
  + 'DQoJdGltZXN0YW1wEAIaDAoIX19uYW1lX18QAg';
