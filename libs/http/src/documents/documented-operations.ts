// What an OpenAPI document says can be called, found by calls as the service finds its routes: for tests.
import { createMatcher } from '../routing/match-route';

export interface DocumentedOperation<Definition> {
  readonly method: string;
  /** As the document has it: `/v2/chargers/{chargerId}`. */
  readonly template: string;
  /** As a route has it: `/v2/chargers/:chargerId`. */
  readonly path: string;
  readonly definition: Definition;
}

type Paths<Definition> = Readonly<Record<string, Readonly<Record<string, Definition>>>>;

export function operationsOf<Definition>({ paths }: { readonly paths: Paths<Definition> }) {
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, definition]): DocumentedOperation<Definition> => {
      return { method: method.toUpperCase(), template, path: template.replace(/\{(\w+)\}/g, ':$1'), definition };
    }),
  );
}

/** Gives the one of these operations that a call is of, whatever its query; undefined where none is. */
export function operationFinder<Operation extends DocumentedOperation<unknown>>(
  operations: readonly Operation[],
): (method: string, target: string) => Operation | undefined {
  const match = createMatcher(operations);
  return (method, target) => {
    const [path = target] = target.split('?');
    const found = match(method, path);
    return found.kind === 'found' ? found.target : undefined;
  };
}
