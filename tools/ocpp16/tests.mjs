// Reads the names of all tests from their files, without running them.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ts = createRequire(import.meta.url)('typescript');

/** Where tests are. Those of interoperability count as well, long forms of runs do not. */
const PLACES = ['libs', 'services', 'test-e2e', 'tools'];
const TEST_FILE = /\.(test|interop)\.ts$/;
const SHOWN_SOURCE = 60;
const SHOWN_TEXT = 120;

/**
 * Every test as `{name, unit, file, cases, body}`. `unit`: the text of its `describe`. `body`: its source with that of the functions and
 * constants of its file that it uses. The rows of a table with a numbered title are counted, those of other tables are listed.
 * Skipped tests and those of a skipped `describe` are left out.
 */
export function readTests(root) {
  return PLACES.flatMap((place) => testFiles(root, place)).flatMap((file) => testsOf(root, file));
}

function testFiles(root, place) {
  return readdirSync(join(root, place), { recursive: true })
    .map((path) => join(place, String(path)).replaceAll('\\', '/'))
    .filter((path) => TEST_FILE.test(path) && path.includes('/src/') && !/node_modules|\/dist\//.test(path))
    .sort();
}

function testsOf(root, file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const tests = [];
  const declared = declarationsOf(source);
  const visit = (node, unit) => {
    if (isSkippedUnit(source, node)) return;
    if (ts.isCallExpression(node)) {
      const found = testsOfCall(source, node);
      const body = found.length > 0 ? bodyOf(source, node, declared) : '';
      tests.push(...found.map((test) => ({ ...test, unit, file, body })));
    }
    const inner = unitOf(node) ?? unit;
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, '');
  return tests;
}

/** The source of each function and constant outside of the tests, by name. */
function declarationsOf(source) {
  const declared = new Map();
  const visit = (node) => {
    if (ts.isCallExpression(node) && testsOfCall(source, node).length > 0) return;
    const isNamed = ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node);
    if (isNamed && node.name !== undefined && ts.isIdentifier(node.name))
      declared.set(node.name.text, node.getText(source));
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return declared;
}

function bodyOf(source, node, declared) {
  const own = node.getText(source);
  const used = new Set(own.match(/\w+/g));
  return [own, ...[...declared].filter(([name]) => used.has(name)).map(([, text]) => text)].join('\n');
}

function isSkippedUnit(source, node) {
  return ts.isCallExpression(node) && /^(describe\.skip|xdescribe)\b/.test(node.expression.getText(source));
}

function unitOf(node) {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression) || node.expression.text !== 'describe')
    return undefined;
  return node.arguments[0] && textOf(node.arguments[0]);
}

function testsOfCall(source, { expression, arguments: given }) {
  const title = given[0] && textOf(given[0]);
  if (title === undefined) return [];
  if (isTest(expression)) return [{ name: title, cases: 1 }];
  const isTable = ts.isCallExpression(expression) && ts.isPropertyAccessExpression(expression.expression);
  if (!isTable || expression.expression.name.text !== 'each' || !isTest(expression.expression.expression)) return [];
  const rows = rowsOf(source, expression.arguments[0]);
  const names = rows.map((row) => fill(title, row));
  if (/^\d/.test(title) || rows.length === 0) return [{ name: fill(title, []), cases: Math.max(1, rows.length) }];
  return names.map((name) => ({ name, cases: 1 }));
}

function isTest(node) {
  return ts.isIdentifier(node) && (node.text === 'it' || node.text === 'test');
}

function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** The rows of a literal table, or of a constant in the same file. */
function rowsOf(source, node) {
  if (node === undefined) return [];
  if (ts.isAsExpression(node) || ts.isParenthesizedExpression(node)) return rowsOf(source, node.expression);
  if (ts.isIdentifier(node)) return rowsOf(source, constantOf(source, node.text));
  if (!ts.isArrayLiteralExpression(node)) return [];
  return node.elements.map((row) => (ts.isArrayLiteralExpression(row) ? row.elements.map(shown) : [shown(row)]));
}

function constantOf(source, name) {
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const found = statement.declarationList.declarations.find((each) => each.name.getText() === name);
    if (found !== undefined) return found.initializer;
  }
  return undefined;
}

function shown(node) {
  const isText = ts.isStringLiteralLike(node);
  const text = isText ? node.text : node.getText().replace(/\s+/g, ' ');
  return text.length > (isText ? SHOWN_TEXT : SHOWN_SOURCE) ? '…' : text;
}

/** Fills a row into a title as jest does; unknown values become an ellipsis. */
function fill(title, row) {
  let next = 0;
  return title.replace(/%[sjpdif]|\$\w+/g, () => row[next++] ?? '…');
}
