/**
 * Answers that Google's emulator cannot be made to give: the forms production, proxies and faults produce.
 * @typedef {import('./record_fixtures.js').Exchange} Exchange
 */

const JSON_TYPE = 'application/json; charset=UTF-8';
const NAME = 'projects/demo/databases/(default)/documents/instruments/a';
const TIME = '2024-01-01T00:00:00.123456Z';
const DOCUMENT = { name: NAME, fields: { n: { integerValue: '1' } }, createTime: TIME, updateTime: TIME };

/** @param {string} name @param {number} status @param {unknown} body text, or JSON to be indented as production does @param {string} [contentType] @returns {Exchange} */
function answer(name, status, body, contentType = JSON_TYPE) {
  const text = typeof body === 'string' ? body : `${JSON.stringify(body, null, 2)}\n`;
  return { name, source: 'hand-written', response: { status, contentType, body: text } };
}

/** @param {number} code @param {string} status @param {string} message @param {object[]} [details] */
const error = (code, status, message, details) => ({ error: { code, message, status, ...(details && { details }) } });

/** @param {string} reason @param {Record<string, string>} metadata */
const errorInfo = (reason, metadata) => [
  { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com', metadata },
];

const CONTENTION = 'Too much contention on these documents. Please try again.';
const UNAVAILABLE = error(503, 'UNAVAILABLE', 'The service is currently unavailable.');
const HTML_502 = `<!DOCTYPE html>
<html lang=en>
  <meta charset=utf-8>
  <title>Error 502 (Server Error)!!1</title>
  <p>The server encountered a temporary error and could not complete your request. {"error": "not JSON"}
</html>
`;

/** @type {Exchange[]} */
export const errors = [
  answer('ABORTED', 409, error(409, 'ABORTED', CONTENTION)),
  answer('ABORTED, compact', 409, JSON.stringify(error(409, 'ABORTED', CONTENTION))),
  answer('ABORTED in an array', 409, [error(409, 'ABORTED', CONTENTION)]),
  answer('ABORTED in an array, streamed', 409, `[${JSON.stringify(error(409, 'ABORTED', CONTENTION), null, 2)}\n]`),
  answer('ALREADY_EXISTS', 409, error(409, 'ALREADY_EXISTS', `Document already exists: ${NAME}`)),
  answer('NOT_FOUND: document', 404, error(404, 'NOT_FOUND', `No document to update: ${NAME}`)),
  answer('NOT_FOUND: database', 404, error(404, 'NOT_FOUND', 'The database (default) does not exist for project demo Please visit https://console.cloud.google.com/datastore/setup?project=demo to add a Cloud Datastore or Cloud Firestore database. ')),
  answer('FAILED_PRECONDITION: update time', 400, error(400, 'FAILED_PRECONDITION', 'the stored version (1704067200123456) does not match the required base version (1577836800000001)')),
  answer('FAILED_PRECONDITION: index', 400, [error(400, 'FAILED_PRECONDITION', 'The query requires an index. You can create it here: https://console.firebase.google.com/v1/r/project/demo/firestore/indexes?create_composite=abc')]),
  answer('OUT_OF_RANGE', 400, error(400, 'OUT_OF_RANGE', 'The value is out of range.')),
  answer('INVALID_ARGUMENT: API key', 400, error(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', errorInfo('API_KEY_INVALID', { service: 'firestore.googleapis.com' }))),
  answer('INVALID_ARGUMENT in an array, with details', 400, [error(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received. Unknown name "x" at \'structured_query\': Cannot find field.', [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: 'structured_query', description: 'Unknown name "x"' }] }])]),
  answer('PERMISSION_DENIED: rules', 403, [error(403, 'PERMISSION_DENIED', 'Missing or insufficient permissions.')]),
  answer('PERMISSION_DENIED: service disabled', 403, error(403, 'PERMISSION_DENIED', 'Cloud Firestore API has not been used in project demo before or it is disabled.', errorInfo('SERVICE_DISABLED', { consumer: 'projects/demo', service: 'firestore.googleapis.com' }))),
  answer('UNAUTHENTICATED', 401, error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.')),
  answer('RESOURCE_EXHAUSTED', 429, error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.')),
  answer('UNAVAILABLE', 503, UNAVAILABLE),
  answer('DEADLINE_EXCEEDED', 504, error(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.')),
  answer('INTERNAL', 500, error(500, 'INTERNAL', 'Internal error encountered.')),
  answer('UNKNOWN', 500, error(500, 'UNKNOWN', 'Unknown Error.')),
  answer('CANCELLED', 499, error(499, 'CANCELLED', 'The operation was cancelled.')),
  answer('UNIMPLEMENTED', 501, error(501, 'UNIMPLEMENTED', 'Operation is not implemented, or supported, or enabled.')),
  answer('DATA_LOSS', 500, error(500, 'DATA_LOSS', 'Unrecoverable data loss.')),
  answer('a status that does not exist yet', 418, error(418, 'TEAPOT', 'New.')),
  answer('no status name', 409, { error: { code: 409, message: 'Conflict.' } }),
  answer('no message', 503, { error: { code: 503, status: 'UNAVAILABLE' } }),
  answer('escapes in the message', 400, '{"error":{"code":400,"message":"a \\"quoted\\" \\u00e9\\ud83d\\ude00\\n\\tline\\/","status":"INVALID_ARGUMENT"}}'),
  answer('members in another order', 409, '{"error":{"status":"ABORTED","details":[{"status":"NOT_FOUND","error":{"status":"INTERNAL"}}],"message":"x","code":409}}'),
  answer('OAuth error of another shape', 401, '{"error":"invalid_token","error_description":"expired"}'),
  answer('status 200, error after a document', 200, [{ document: DOCUMENT, readTime: TIME }, UNAVAILABLE]),
  answer('status 200, error alone', 200, [error(409, 'ABORTED', CONTENTION)]),
  answer('HTML 502', 502, HTML_502, 'text/html; charset=UTF-8'),
  answer('HTML 503, typed as JSON', 503, HTML_502),
  answer('HTML 413', 413, '<html><title>413 Request Entity Too Large</title></html>', 'text/html'),
  answer('empty 500', 500, '', 'text/plain'),
  answer('empty 503', 503, ''),
  answer('empty 204', 204, ''),
  answer('text 429', 429, 'Rate exceeded.', 'text/plain'),
  answer('truncated error', 503, '{"error":{"code":503,"message":"The serv'),
];

/** @type {Exchange[]} */
export const reads = [
  answer('members in another order', 200, [{ readTime: TIME, found: { updateTime: TIME, fields: { n: { integerValue: '1' } }, createTime: TIME, name: NAME } }]),
  answer('transaction alone, then a document', 200, [{ transaction: 'EU0AAAAAAAAA' }, { found: DOCUMENT, readTime: TIME }]),
];

/** @type {Exchange[]} */
export const queries = [
  answer('only a read time', 200, [{ readTime: TIME }]),
  answer('empty array', 200, '[]'),
  answer('empty array with a line', 200, '[\n\n]\n'),
  answer('done in an element of its own', 200, [{ document: DOCUMENT, readTime: TIME }, { readTime: TIME, done: true }]),
  answer('done: false', 200, [{ document: DOCUMENT, readTime: TIME, done: false }]),
  answer('skipped results', 200, [{ readTime: TIME, skippedResults: 3 }, { document: DOCUMENT, readTime: TIME }]),
  answer('progress between documents', 200, [{ document: DOCUMENT, readTime: TIME }, { readTime: TIME }, { document: { ...DOCUMENT, name: `${NAME}b` }, readTime: TIME }]),
  answer('explain metrics at the end', 200, [{ document: DOCUMENT, readTime: TIME }, { explainMetrics: { planSummary: { indexesUsed: [{ properties: '(shard ASC, timestamp DESC)' }] } } }]),
  answer('members in another order', 200, [{ readTime: TIME, document: { updateTime: TIME, fields: { n: { integerValue: '1' } }, createTime: TIME, name: NAME } }]),
  answer('members nobody knows', 200, [{ future: { a: [1, 2, { b: null }], c: 'x"]}' }, document: { ...DOCUMENT, etag: 'x', labels: {} }, readTime: TIME }]),
  answer('fields named like the envelope', 200, [{ document: { ...DOCUMENT, fields: { document: { stringValue: 'x' }, readTime: { mapValue: { fields: { name: { stringValue: 'y' } } } }, createTime: { nullValue: null }, error: { mapValue: { fields: { code: { integerValue: '500' } } } } } }, readTime: TIME }]),
  answer('numbers in other notations', 200, '[{"document":{"name":"' + NAME + '","fields":{"a":{"integerValue":7},"b":{"doubleValue":1E+2},"c":{"doubleValue":-0.0},"d":{"doubleValue":1.0e-7},"e":{"doubleValue":"1.5"},"f":{"geoPointValue":{"latitude":1E1}},"g":{"nullValue":"NULL_VALUE"}},"createTime":"2024-01-01T00:00:00Z","updateTime":"2024-01-01T00:00:00Z"},"readTime":"2024-01-01T00:00:00.100Z"}]'),
  answer('escaped slashes and non-ASCII', 200, '[{"document":{"name":"projects\\/demo\\/databases\\/(default)\\/documents\\/instruments\\/\\u65e5\\ud83d\\ude00","fields":{"\\u00e9\\"":{"stringValue":"\\u003c\\u2028\\/"}},"createTime":"2024-01-01T00:00:00Z","updateTime":"2024-01-01T00:00:00Z"},"readTime":"2024-01-01T00:00:00Z"}]'),
];

/** @type {Exchange[]} */
export const aggregations = [
  answer('read time first, result later', 200, [{ readTime: TIME }, { result: { aggregateFields: { sum: { integerValue: '3' } } }, readTime: TIME }]),
  answer('members in another order', 200, [{ readTime: TIME, result: { aggregateFields: { count: { integerValue: '2' }, sum: { doubleValue: 2 } } } }]),
];

const ELEMENT = JSON.stringify({ document: DOCUMENT, readTime: TIME });

/** @type {Exchange[]} */
export const malformed = [
  answer('empty', 200, ''),
  answer('white space', 200, ' \r\n\t'),
  answer('HTML', 200, HTML_502, 'text/html'),
  answer('text', 200, 'OK'),
  answer('array not closed', 200, `[${ELEMENT}`),
  answer('ends after a comma', 200, `[${ELEMENT},`),
  answer('trailing comma', 200, `[${ELEMENT},]`),
  answer('missing comma', 200, `[${ELEMENT}${ELEMENT}]`),
  answer('ends in a name', 200, `[${ELEMENT},{"document":{"name":"projects/demo/da`),
  answer('ends in an escape', 200, '[{"document":{"name":"a\\'),
  answer('ends in a \\u escape', 200, '[{"document":{"name":"a\\u00'),
  answer('ends after a colon', 200, '[{"document":'),
  answer('ends within fields', 200, `[{"document":{"name":"${NAME}","fields":{"n":{"integerValue":"1"}`),
  answer('text behind the end', 200, `[${ELEMENT}] x`),
  answer('second value behind the end', 200, `[${ELEMENT}][]`),
  answer('closed by the wrong bracket', 200, `[${ELEMENT}}`),
  answer('brackets crossed', 200, '[{"document":{"name":"a","fields":{"x":{"arrayValue":{"values":[}]}}}}]'),
  answer('an object where the array should be', 200, ELEMENT),
  answer('null', 200, 'null'),
  answer('array of numbers', 200, '[1,2]'),
  answer('nested array', 200, `[[${ELEMENT}]]`),
  answer('control character in a string', 200, '[{"document":{"name":"a\nb"}}]'),
  answer('unknown escape', 200, '[{"document":{"name":"a\\x"}}]'),
  answer('bad \\u escape', 200, '[{"document":{"name":"a\\u12g4"}}]'),
  answer('single quotes', 200, "[{'document':{}}]"),
  answer('byte order mark', 200, `\ufeff[${ELEMENT}]`),
  answer('bare NaN', 200, `[{"document":{"name":"${NAME}","fields":{"x":{"doubleValue":NaN}},"createTime":"${TIME}","updateTime":"${TIME}"},"readTime":"${TIME}"}]`),
  answer('document without a name', 200, `[{"document":{"fields":{},"createTime":"${TIME}","updateTime":"${TIME}"},"readTime":"${TIME}"}]`),
  answer('document is a string', 200, `[{"document":"${NAME}","readTime":"${TIME}"}]`),
  answer('member without a value', 200, '[{"document":}]'),
  answer('member without a colon', 200, '[{"document" {}}]'),
  answer('NUL byte', 200, `[${ELEMENT}\u0000]`),
];
