// The documented sample over REST: ask for every chunk, parse all, concatenate, sort, slice. Then plain values of the documents that are left: the
// other side returns them, too.

/** A moment, as SDKs return it. */
class Timestamp {
  constructor(seconds, nanoseconds) {
    this.seconds = seconds;
    this.nanoseconds = nanoseconds;
  }
}

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {string} url
 * @param {string[]} queries The bodies of the requests, one for each chunk.
 * @param {number} limit
 */
export async function sampleQuery(fetch, url, queries, limit) {
  const answers = await Promise.all(queries.map(async (body) => (await fetch(url, { method: 'POST', body })).json()));
  const documents = [];
  for (const answer of answers) {
    for (const { document } of answer) if (document) documents.push(document);
  }
  if (answers.length > 1) documents.sort((a, b) => compare(b.fields.timestamp.timestampValue, a.fields.timestamp.timestampValue));
  return documents.slice(0, limit).map(plainDocument);
}

/**
 * @param {string} a Two times as Firestore writes them.
 * @param {string} b
 */
function compare(a, b) {
  // Without their Z, times with fewer digits of a second sort before those with more.
  if (a.length !== b.length) return a.slice(0, -1) < b.slice(0, -1) ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}

function plainDocument({ name, fields, createTime, updateTime }) {
  return {
    id: name.slice(name.lastIndexOf('/') + 1),
    name,
    data: plainFields(fields),
    createTime: plainTimestamp(createTime),
    updateTime: plainTimestamp(updateTime),
  };
}

function plainFields(fields) {
  const plain = {};
  for (const name in fields) plain[name] = plainValue(fields[name]);
  return plain;
}

function plainValue(value) {
  // A value has one member, its type.
  for (const type in value) {
    const content = value[type];
    switch (type) {
      case 'integerValue': {
        const number = Number(content);
        return Number.isSafeInteger(number) ? number : BigInt(content);
      }
      case 'doubleValue':
        return Number(content);
      case 'timestampValue':
        return plainTimestamp(content);
      case 'mapValue':
        return plainFields(content.fields);
      case 'arrayValue':
        return (content.values ?? []).map(plainValue);
      case 'bytesValue':
        return Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
      default:
        return content;
    }
  }
  return undefined;
}

/** @param {string} text `2024-01-01T00:00:00.123456Z` */
function plainTimestamp(text) {
  const point = text.indexOf('.');
  if (point < 0) return new Timestamp(Date.parse(text) / 1000, 0);
  const nanoseconds = Number(text.slice(point + 1, -1).padEnd(9, '0'));
  return new Timestamp(Date.parse(`${text.slice(0, point)}Z`) / 1000, nanoseconds);
}
