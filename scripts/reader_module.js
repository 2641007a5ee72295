// Makes JavaScript of the module `reader`: a text whose characters are the module's bytes.
//
//   node scripts/reader_module.js web/library/generated/reader.wasm web/library/generated

import { readFileSync, writeFileSync } from 'node:fs';

const [file, folder] = process.argv.slice(2);
/** A template would read these otherwise than they are. @type {Record<string, string>} */
const ESCAPES = { '\0': '\\0', '\r': '\\r', '\\': '\\\\', '`': '\\`', $: '\\$' };
const text = readFileSync(file ?? '', 'latin1')
  .replace(/[\0\r\\`$]/g, (character) => ESCAPES[character] ?? '')
  // A digit behind a zero would make it another escape.
  .replace(/\\0(?=\d)/g, '\\x00');
writeFileSync(`${folder}/reader_module.js`, `export const module = \`${text}\`;\n`);
writeFileSync(`${folder}/reader_module.d.ts`, 'export declare const module: string;\n');
