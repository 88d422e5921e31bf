// The operations of an OpenAPI document, found by method and path: for tests.

export interface DocumentedOperation<Definition> {
  readonly method: string;
  /** `/v2/chargers/{chargerId}`. */
  readonly template: string;
  readonly definition: Definition;
}

type Paths<Definition> = Readonly<Record<string, Readonly<Record<string, Definition>>>>;

export function operationsOf<Definition>({ paths }: { readonly paths: Paths<Definition> }) {
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, definition]): DocumentedOperation<Definition> => {
      return { method: method.toUpperCase(), template, definition };
    }),
  );
}

/** Finds the operation of a call, whatever its query. `HEAD` is found as `GET`, a literal path before a parameter. */
export function operationFinder<Operation extends DocumentedOperation<unknown>>(
  operations: readonly Operation[],
): (method: string, target: string) => Operation | undefined {
  const parameters = ({ template }: Operation): number => template.split('{').length;
  const ordered = [...operations].sort((a, b) => parameters(a) - parameters(b));
  return (method, target) => {
    const segments = (target.split('?')[0] ?? '').split('/');
    const wanted = method === 'HEAD' ? 'GET' : method;
    return ordered.find((each) => each.method === wanted && fits(each.template.split('/'), segments));
  };
}

/** A document whose bodies have their examples in the components. */
export interface DocumentedBodies {
  readonly components: { readonly examples: Readonly<Record<string, { readonly value?: unknown }>> };
}

export interface DocumentedBody {
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly examples: Readonly<Record<string, object>> } };
  };
}

/** The first example of the body; undefined without a body. */
export function bodyExample({ components }: DocumentedBodies, { requestBody }: DocumentedBody): unknown {
  const [name] = Object.keys(requestBody?.content['application/json'].examples ?? {});
  return name === undefined ? undefined : components.examples[name]?.value;
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  if (template.length !== segments.length) return false;
  return template.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i]));
}
