// JavaScript as a page downloads it.

import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const HERE = fileURLToPath(new URL('./', import.meta.url));

/**
 * @param {string} contents Of the entry point.
 * @param {{[module: string]: string}} [alias]
 */
export async function bundle(contents, alias) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: HERE, sourcefile: 'entry.js' },
    absWorkingDir: HERE, // Aliases are resolved from here.
    alias,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0].contents;
}

/**
 * The same as the files that bundlers make of it, where some of it is imported later.
 * @param {string} contents Of the entry point.
 * @param {string} name Of its file.
 * @returns {Promise<{path: string, contents: Uint8Array}[]>}
 */
export async function bundleFiles(contents, name) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: HERE, sourcefile: 'entry.js' },
    bundle: true,
    splitting: true,
    minify: true,
    charset: 'utf8',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    outdir: `${HERE}out`,
    entryNames: name,
    chunkNames: `${name}-[hash]`,
    write: false,
    logLevel: 'error',
  });
  return outputFiles.map(({ path, contents: bytes }) => ({ path: path.slice(`${HERE}out`.length), contents: bytes }));
}
