// Query parameters that a route does not have: a mistyped filter that is ignored returns more than was asked for.
import { distance } from 'fastest-levenshtein';
import type { Issue } from './issue';
import type { Query } from './parameters';
import type { ObjectSchema } from '../route';

/** Characters of a name that an error repeats. Longer ones are not compared either. */
const MAX_NAME = 100;
/** Edits between a mistyped name and the suggested one. */
const MAX_EDITS = 2;

/** One issue for each name that the schema lacks, with the known ones and, for a mistyped one, a suggestion. */
export function unknownParameters({ values }: Query, schema: ObjectSchema | undefined): readonly Issue[] {
  const known = Object.keys(schema?.properties ?? {});
  const unknown = [...new Set(values.keys())].filter((name) => !known.includes(name));
  if (unknown.length === 0) return [];
  const list = known.length === 0 ? 'this path has none' : `known: ${known.join(', ')}`;
  return unknown.map((name) => {
    const similar = similarTo(name, known);
    const hint = similar === undefined ? '' : ` (did you mean ${similar}?)`;
    return { path: `?${shown(name)}`, message: `is not a known query parameter${hint}; ${list}` };
  });
}

function similarTo(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME) return undefined;
  const edits = (each: string): number => distance(name.toLowerCase(), each.toLowerCase());
  const nearest = [...known].sort((a, b) => edits(a) - edits(b))[0];
  // Three characters have every other short name within two edits.
  return nearest !== undefined && edits(nearest) <= Math.min(MAX_EDITS, nearest.length - 3) ? nearest : undefined;
}

function shown(name: string): string {
  if (name === '') return '""';
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}
