/** Decodes wire values into JavaScript's. It shares no code with the library's own decoding: tests compare the two. */
import { Bytes, DocumentReference, GeoPoint, Timestamp, VectorValue } from 'shardline';

/**
 * @param {Record<string, any>} fields
 * @returns {Record<string, any>}
 */
export function plainFields(fields = {}) {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, plain(value)]));
}

/** @param {Record<string, any>} value */
function plain(value) {
  const [kind, content] = /** @type {[string, any]} */ (Object.entries(value)[0]);
  switch (kind) {
    case 'nullValue': return null;
    case 'integerValue': return Number.isSafeInteger(Number(content)) ? Number(content) : BigInt(content);
    case 'doubleValue': return Number(content);
    case 'timestampValue': return Timestamp.fromString(content);
    case 'bytesValue': return Bytes.from(Buffer.from(content, 'base64'));
    case 'referenceValue': return new DocumentReference(content);
    case 'geoPointValue': return new GeoPoint(content.latitude ?? 0, content.longitude ?? 0);
    case 'arrayValue': return (content.values ?? []).map(plain);
    case 'mapValue': return vectorOf(content.fields) ?? plainFields(content.fields);
    default: return content;
  }
}

/** @param {Record<string, any>} [fields] */
function vectorOf(fields = {}) {
  if (fields.__type__?.stringValue !== '__vector__') return undefined;
  return new VectorValue((fields.value.arrayValue.values ?? []).map(plain));
}
