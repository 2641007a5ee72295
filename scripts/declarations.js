// Makes of the declarations that tsc has written of the library's JavaScript what somebody would have written by hand.
//
//   node scripts/declarations.js web/types

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What says “@hidden” above a constructor is made by the library alone, and what it takes is nobody else's business. */
const HIDDEN_CONSTRUCTOR = /( +)\/\*\*(?:(?!\*\/)[^])*@hidden(?:(?!\*\/)[^])*\*\/\n +constructor\(.*\);\n/g;

/** JavaScript has no way to pass on a type. A second name for it would be another type in the reference, and no class. */
const SECOND_NAME = /^export type (\w+) = import\((".*?")\)\.(\w+);$/gm;

const folder = process.argv[2] ?? '';
let hidden = 0;
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const path = join(folder, name);
  const text = readFileSync(path, 'utf8')
    .replace(HIDDEN_CONSTRUCTOR, (_all, indent) => {
      hidden += 1;
      return `${indent}protected constructor();\n`;
    })
    .replace(SECOND_NAME, (_all, second, module, first) => {
      const type = first === second ? first : `${first} as ${second}`;
      return `import type { ${type} } from ${module};\nexport type { ${second} };`;
    });
  if (text.includes('@hidden')) throw new Error(`${path}: a constructor that is to be hidden was not found.`);
  writeFileSync(path, text);
}
if (hidden === 0) throw new Error(`${folder}: no constructor to hide.`);
