// The author of a function around one of the library's must be able to name its parameters and its result: every entry exports all types that its
// signatures name, except the types that are private to a file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const WEB = new URL('../../web/', import.meta.url);
/** @type {typeof import('typescript')} */
const ts = createRequire(new URL('package.json', WEB))('typescript');
/** @type {{[entry: string]: {types?: string}}} */
const entries = JSON.parse(readFileSync(new URL('package.json', WEB), 'utf8')).exports;
const files = Object.entries(entries).flatMap(([entry, { types }]) => (types ? [{ entry, path: fileURLToPath(new URL(types, WEB)) }] : []));
const program = ts.createProgram(files.map(({ path }) => path), { strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, types: [] });
const checker = program.getTypeChecker();

/** @param {import('typescript').Symbol} symbol */
const original = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/** @param {import('typescript').Symbol} symbol */
function isOwn(symbol) {
  return symbol.declarations?.some((each) => each.getSourceFile().fileName.includes('/web/types/') && !ts.isTypeParameterDeclaration(each)) ?? false;
}

/** Whether its own file exports it. @param {import('typescript').Symbol} symbol */
function isShared(symbol) {
  return symbol.declarations?.some((each) => {
    const file = checker.getSymbolAtLocation(each.getSourceFile());
    return file && checker.getExportsOfModule(file).some((one) => original(one) === symbol);
  }) ?? false;
}

/** What types a declaration names that somebody else may see. @param {import('typescript').Node} node @returns {import('typescript').Symbol[]} */
function namedIn(node) {
  const isHidden = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ProtectedKeyword || kind === ts.SyntaxKind.PrivateKeyword);
  if (isHidden) return [];
  const name = ts.isTypeReferenceNode(node) ? node.typeName : ts.isExpressionWithTypeArguments(node) ? node.expression : ts.isImportTypeNode(node) && !node.isTypeOf ? node.qualifier : undefined;
  const symbol = name && checker.getSymbolAtLocation(name);
  /** @type {import('typescript').Symbol[]} */
  const found = symbol ? [original(symbol)] : [];
  ts.forEachChild(node, (child) => { found.push(...namedIn(child)); });
  return found;
}

for (const { entry, path } of files) {
  test(`${entry} exports every type that its signatures name`, () => {
    const file = checker.getSymbolAtLocation(/** @type {import('typescript').SourceFile} */ (program.getSourceFile(path)));
    assert.ok(file);
    const exported = new Set(checker.getExportsOfModule(file).map(original));
    const named = [...exported].flatMap(({ declarations = [] }) => declarations.flatMap(namedIn));
    const missing = named.filter((symbol) => isOwn(symbol) && isShared(symbol) && !exported.has(symbol));
    assert.deepEqual([...new Set(missing.map(({ name }) => name))].sort(), []);
  });
}
