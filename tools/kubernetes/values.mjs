// Reads values.yaml of the chart as a tree of values with their comments. Schema and README are made of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlias, isMap, isScalar, parse, parseDocument } from 'yaml';
import { root } from '../prepare.mjs';

export const CHART = join(root, 'deploy/chart/busbar');

/**
 * The values as `{path, key, about, value, children?}`. What is written on one line is one value; `children` are those of a map
 * that is written on several.
 */
export function readValues() {
  const document = parseDocument(readFileSync(join(CHART, 'values.yaml'), 'utf8'));
  return childrenOf(document.contents, [], document);
}

/** The variables that are no `settings`, with the values that set them. */
export function readElsewhere() {
  return parse(readFileSync(join(CHART, 'files/elsewhere.yaml'), 'utf8'));
}

function childrenOf(map, path, document) {
  return map.items.map((pair, index) => {
    const key = String(pair.key.value);
    const node = isAlias(pair.value) ? pair.value.resolve(document) : pair.value;
    // The comment of the first key belongs to the map.
    const comment = pair.key.commentBefore ?? (index === 0 && path.length > 0 ? map.commentBefore : undefined);
    // A comment before an empty line is not about the key.
    const about = (comment ?? '')
      .split(/\n\s*\n/)
      .at(-1)
      .split('\n')
      .map((line) => line.trim())
      .join(' ')
      .trim();
    const value = isScalar(node) ? node.value : node.toJS(document);
    const own = { path: [...path, key], key, about, value };
    const isTree = isMap(node) && !node.flow && node.items.length > 0;
    return isTree ? { ...own, children: childrenOf(node, own.path, document) } : own;
  });
}
