// Finds every regular expression in the sources of libraries and services: literals, `new RegExp(…)`, and the patterns of
// JSON Schemas. Each gets a name that survives a change of the expression: its file and what it is assigned to or used in.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

export interface FoundExpression {
  /** `libs/http/src/limits/network-of.ts MAPPED_IPV4`; a second one of the same place ends in ` 2`. */
  readonly name: string;
  /** Undefined where the text is only known when the program runs. */
  readonly expression: RegExp | undefined;
}

const NO_PRODUCT_CODE = /\.test\.ts$|\.contract\.ts$|\.interop\.ts$|\.d\.ts$/;

export function findExpressions(root: string): readonly FoundExpression[] {
  const found: FoundExpression[] = [];
  for (const file of sourcesBelow(root)) {
    const seen = new Map<string, number>();
    for (const { place, expression } of expressionsOf(file)) {
      const times = (seen.get(place) ?? 0) + 1;
      seen.set(place, times);
      const name = `${relative(root, file)} ${place}${times === 1 ? '' : ` ${String(times)}`}`;
      found.push({ name, expression });
    }
  }
  return found;
}

function sourcesBelow(root: string): readonly string[] {
  return ['libs', 'services'].flatMap((kind) =>
    readdirSync(join(root, kind))
      .filter((name) => name !== 'testing')
      .flatMap((name) => sourcesOf(join(root, kind, name, 'src')))
      .sort(),
  );
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    // Generated code has no other patterns: its formats are those of `formats.ts`.
    if (entry.isDirectory()) return ['testing', 'generated'].includes(entry.name) ? [] : sourcesOf(path);
    return entry.name.endsWith('.ts') && !NO_PRODUCT_CODE.test(entry.name) ? [path] : [];
  });
}

interface Placed {
  readonly place: string;
  readonly expression: RegExp | undefined;
}

function expressionsOf(file: string): readonly Placed[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: Placed[] = [];
  const visit = (node: ts.Node): void => {
    const expression = expressionAt(node, source);
    if (expression !== 'none') found.push({ place: placeOf(node), expression });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function expressionAt(node: ts.Node, source: ts.SourceFile): RegExp | undefined | 'none' {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
  }
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  if (isCall && node.expression.getText() === 'RegExp') {
    const [pattern, flags] = (node.arguments ?? []).map((argument) => constantText(argument, source));
    return pattern === undefined ? undefined : new RegExp(pattern, flags);
  }
  return isSchemaPattern(node) ? new RegExp(constantText(node.initializer, source) ?? '', 'u') : 'none';
}

/** A text that is named `…_PATTERN`, or stands as `pattern` in a schema. ajv compiles these with the flag `u`. */
function isSchemaPattern(node: ts.Node): node is (ts.VariableDeclaration | ts.PropertyAssignment) & {
  readonly initializer: ts.Expression;
} {
  const isConstant = ts.isVariableDeclaration(node) && /_PATTERN$/.test(node.name.getText());
  const isField = ts.isPropertyAssignment(node) && node.name.getText() === 'pattern';
  return (isConstant || isField) && node.initializer !== undefined && isText(node.initializer);
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** The text of a constant expression, as far as constants of the same file make it up. */
function constantText(node: ts.Node, source: ts.SourceFile): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const declared = source.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find(({ name }) => name.getText() === node.text);
    return declared?.initializer && constantText(declared.initializer, source);
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans.map(({ expression, literal }) => {
    const text = constantText(expression, source);
    return text === undefined ? undefined : text + literal.text;
  });
  return parts.includes(undefined) ? undefined : node.head.text + parts.join('');
}

/** The constant, property or function that the node stands in. */
function placeOf(node: ts.Node): string {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if ((ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at)) && at.name !== undefined) return at.name.getText();
    if (ts.isVariableDeclaration(at) || ts.isPropertyAssignment(at)) return at.name.getText();
  }
  return 'top';
}
