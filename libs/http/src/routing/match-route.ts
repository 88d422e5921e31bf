// Finds the route of a path. Segments are compared as they came, still percent-encoded, and parameters are decoded only
// when they are validated: a malformed one is refused as a bad value, after the key was checked, and `%2F` reaches its route.

export interface Pattern {
  readonly method: string;
  readonly path: string;
}

export type Match<T> =
  | { readonly kind: 'found'; readonly target: T; readonly params: Readonly<Record<string, string>> }
  /** The path is known, the method is not: the methods it has, for `Allow`. */
  | { readonly kind: 'other_method'; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

interface Entry<T> {
  readonly segments: readonly string[];
  /** A parameter's segments come after literal ones, so that `/chargers/state` is not taken for a charger. */
  readonly parameters: number;
  readonly target: T;
}

/** Finds by method and path. `HEAD` goes where `GET` goes. */
export function createMatcher<T extends Pattern>(targets: readonly T[]): (method: string, path: string) => Match<T> {
  const entries = targets.map(toEntry).sort((a, b) => a.parameters - b.parameters);
  return (method, path) => {
    const segments = path.split('/');
    const fitting = entries.filter((entry) => fits(entry.segments, segments));
    if (fitting.length === 0) return { kind: 'none' };
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = fitting.find((entry) => entry.target.method === wanted);
    if (found === undefined) return { kind: 'other_method', allow: methodsOf(fitting) };
    return { kind: 'found', target: found.target, params: parametersOf(found.segments, segments) };
  };
}

function toEntry<T extends Pattern>(target: T): Entry<T> {
  const segments = target.path.split('/');
  return { segments, parameters: segments.filter(isParameter).length, target };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (isParameter(part) ? segments[i] !== '' : part === segments[i]))
  );
}

function parametersOf(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const pairs = pattern.flatMap((part, i) => (isParameter(part) ? [[part.slice(1), segments[i] ?? ''] as const] : []));
  return Object.fromEntries(pairs);
}

function methodsOf<T extends Pattern>(entries: readonly Entry<T>[]): string[] {
  const methods = new Set(entries.map((entry) => entry.target.method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].sort();
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}
