// Converters like those of Firebase's SDKs, between documents and an app's own objects.

import { notAllowed } from './errors.js';
import { valueAt } from './field_path.js';
import { readable } from './options.js';

/** @import { DocumentConverter, SnapshotToConvert } from './document_types.js' */

/**
 * @param {any} converter
 * @returns {DocumentConverter<any> | undefined}
 */
export function checkConverter(converter) {
  if (converter === undefined || converter === null) return undefined;
  for (const name of ['toFirestore', 'fromFirestore']) {
    if (readable('converter', () => typeof converter[name], 'The converter') !== 'function') throw notAllowed(name, 'a function of the converter');
  }
  return converter;
}

/**
 * The method data() of a document. A caller who reads a field of the method itself has forgotten the call. JSON has the fields.
 * @template T
 * @param {T} data
 * @returns {() => T}
 */
export function readerOf(data) {
  return new Proxy(() => data, {
    get(method, name) {
      if (name === 'toJSON') return method;
      if (Object.hasOwn(Object(data), name)) throw notAllowed('data', 'called', `data is a method: read data().${String(name)}.`);
      return method[/** @type {keyof typeof method} */ (name)];
    },
  });
}

/** The documents behind the values that a converter made. @type {WeakMap<object, any>} */
const originals = new WeakMap();

/**
 * The data of a document of this library or of Firebase's SDKs.
 * @param {any} document
 */
export function originalOf(document) {
  return originals.get(document) ?? document.data();
}

/**
 * @param {DocumentConverter<any>} converter
 * @param {import('./revive.js').DocumentSnapshot<any>} document
 * @param {(name: any) => any} referenceOf Makes a reference from the document's name.
 */
export function convert(converter, { name, data, ...document }, referenceOf) {
  /** @type {SnapshotToConvert & {exists: () => true}} */
  const snapshot = {
    ...document,
    ref: referenceOf(name),
    metadata: { fromCache: false, hasPendingWrites: false },
    exists: () => true,
    data,
    get: (/** @type {any} */ path) => valueAt(data(), path),
  };
  const converted = { ...document, name, data: readerOf(converter.fromFirestore(snapshot, {})) };
  originals.set(converted, data());
  return converted;
}
