// The folder packed: one minified file for each entry of the package, with a source map, for pages without a bundler.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { replacePlugin } from 'rolldown/plugins';

const { exports, license, name, version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const root = fileURLToPath(new URL('.', import.meta.url));

/** `shardline/debug` is for reading the library's own code: it has names there that minified code has no more. */
const files = Object.entries(exports)
  .filter(([entry, { default: file }]) => file?.endsWith('.js') && entry !== './debug')
  .map(([entry, { default: file }]) => ({ input: file, output: entry === '.' ? `${name}.js` : entry.slice(2) + '.js' }));

// The library starts these by their addresses, which stay as they are, because all packed files lie beside each other.
const workers = ['worker.js', 'experiment_worker.js'].map((file) => ({ input: `./library/simulator/${file}`, output: file }));

/** @type {import('rolldown').RolldownOptions[]} */
export default [...files, ...workers].map(({ input, output }) => ({
  cwd: root,
  input,
  platform: 'browser',
  transform: { target: 'es2022' },
  // Browsers fetch the modules from where the package has them once.
  plugins: [replacePlugin({ "new URL('./generated/": "new URL('../library/generated/" }, { delimiters: ['', ''], sourcemap: true })],
  output: {
    file: `packed/${output}`,
    minify: true,
    codeSplitting: false,
    banner: `/*! ${name} ${version}, ${license} */`,
    sourcemap: true,
    // The sources lie beside, in library.
    sourcemapExcludeSources: true,
  },
}));
