// The file firestore.indexes.json, which other files are easily taken for.

import { UsageError } from '../options.js';
import { readText } from '../text_file.js';

/** Comments, and strings, which may hold the same characters. */
const COMMENT = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** Refuses another file of JSON, which would count as one without any index. @param {string} file */
export async function readIndexFile(file) {
  const text = await readText(file);
  if (isOther(text)) throw new UsageError(`${file} has neither “indexes” nor “fieldOverrides”. Pass your firestore.indexes.json.`);
  return text;
}

/** @param {string} text */
function isOther(text) {
  try {
    const members = Object.keys(JSON.parse(text.replaceAll(COMMENT, '$1')));
    return members.length > 0 && !members.includes('indexes') && !members.includes('fieldOverrides');
  } catch {
    // The library says what is wrong with it.
    return false;
  }
}
