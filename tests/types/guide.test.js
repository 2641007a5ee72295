// The TypeScript of the guides compiles, except the lines that a comment marks as refused. The test leaves out blocks that import other packages,
// such as frameworks.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const GUIDES = new URL('../../web/guides/', import.meta.url);
/** @type {typeof import('typescript')} */
const ts = createRequire(new URL('../package.json', GUIDES))('typescript');
const NAME = fileURLToPath(new URL('from_a_guide.ts', import.meta.url));

/** @param {string} code @returns {number[]} The lines that are refused, from 0 on. */
function refusedLines(code) {
  const options = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, types: [] };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const file = ts.createSourceFile(NAME, code, ts.ScriptTarget.ES2022, true);
  host.getSourceFile = (name, ...more) => (name === NAME ? file : getSourceFile(name, ...more));
  const program = ts.createProgram([NAME], options, host);
  return [...new Set(ts.getPreEmitDiagnostics(program, file).map(({ start = 0 }) => file.getLineAndCharacterOfPosition(start).line))];
}

for (const name of readdirSync(GUIDES).filter((each) => each.endsWith('.md'))) {
  const blocks = [...readFileSync(new URL(name, GUIDES), 'utf8').matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)
    .filter((code) => !/ from '(?!shardline)/.test(code));
  for (const [i, code] of blocks.entries()) {
    test(`${name}, block ${i + 1}`, () => {
      const lines = code.split('\n');
      assert.deepEqual(refusedLines(code), lines.flatMap((line, at) => (line.includes('// error') ? [at] : [])));
    });
  }
}

test('no sample shows users the message of an error, which is for developers', () => {
  const files = [...readdirSync(GUIDES).filter((name) => name.endsWith('.md') && name !== 'errors.md').map((name) => `guides/${name}`), 'small.html'];
  for (const name of files) {
    const text = readFileSync(new URL(`../${name}`, GUIDES), 'utf8');
    const code = name.endsWith('.md') ? [...text.matchAll(/^```\w+\n(.*?)^```/gms)].map(([, block]) => block).join('\n') : text;
    assert.doesNotMatch(code, /\berror\.message\b|\{ message \}/, name);
  }
});
