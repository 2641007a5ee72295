// Rewrites the declarations that tsc has made of the library's JavaScript, so that they read like declarations written by hand.
//
//   node scripts/declarations.js web/types

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A comment “@hidden” marks a constructor that the library alone calls. Its parameters are no part of the public types. */
const HIDDEN_CONSTRUCTOR = /( +)\/\*\*(?:(?!\*\/)[^])*@hidden(?:(?!\*\/)[^])*\*\/\n +constructor\(.*\);\n/g;

/** JavaScript has no way to pass on a type. A second name for it would be another type in the reference, and no class. */
const SECOND_NAME = /^export type (\w+) = import\((".*?")\)\.(\w+);$/gm;

/** Types that not every program has. library/platform.d.ts declares their names. */
const OF_THE_PLATFORM = /\b(?:WebAssembly\.Module|Document|BroadcastChannel)\b/;

/** JavaScript has no way either to hand on all types of a file that is written by hand. These export those that their signatures name. */
const DOCUMENT_TYPES = "export type * from './document_types.js';\n";
const WITH_DOCUMENTS = ['everything.d.ts', 'collections_only.d.ts'];

/** A file beside a source is also beside the source's declarations. */
const BESIDE = /(?<=^\/\/\/ <reference path=")\.\.\/library\/(\w+\.d\.ts" )preserve="true" /m;

/** TypeScript before 5.7 knows no kinds of Uint8Array. */
const KIND_OF_BYTES = /Uint8Array<\w+>/g;

/** A JSDoc comment gives the type of each argument of a rest parameter, but cannot give the type of all of them. */
const EACH_OF_THE_REST = /(?<=\.\.\.\w+: )EachOf<([^]*?)>\[\](?=\))/g;

const BY_HAND = ['platform.d.ts', 'document_types.d.ts', 'element_names.d.ts', 'elements_names.d.ts', 'element_style.d.ts'];

const folder = process.argv[2] ?? '';
let hidden = 0;
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts') || BY_HAND.includes(name)) continue;
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8')
    .replace(HIDDEN_CONSTRUCTOR, (_all, indent) => {
      hidden += 1;
      return `${indent}protected constructor();\n`;
    })
    .replace(EACH_OF_THE_REST, '$1')
    .replace(KIND_OF_BYTES, 'Uint8Array')
    .replace(BESIDE, './$1')
    .replace(SECOND_NAME, (_all, second, module, first) => {
      const type = first === second ? first : `${first} as ${second}`;
      return `import type { ${type} } from ${module};\nexport type { ${second} };`;
    });
  if (text.includes('@hidden')) throw new Error(`${path}: a constructor that is to be hidden was not found.`);
  const platform = relative(dirname(path), join(folder, 'platform.d.ts'));
  const reference = OF_THE_PLATFORM.test(text) ? `/// <reference path="${platform}" />\n` : '';
  writeFileSync(path, reference + text + (WITH_DOCUMENTS.includes(name) ? DOCUMENT_TYPES : ''));
}
if (hidden === 0) throw new Error(`${folder}: no constructor to hide.`);
