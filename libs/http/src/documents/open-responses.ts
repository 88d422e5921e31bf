// Lets the responses of a document have fields that it does not name: any release may add some. The service's own
// responses are checked against the closed schemas of its routes.
import type { Json } from './components';
import { mapOperations, mapValues, type Paths } from './map-values';

interface Document {
  readonly paths: Paths;
  readonly components: Json & { readonly schemas: Json; readonly responses: Json };
}

/** The document, whose schemas that no request uses allow further properties. */
export function openResponses<D extends Document>(document: D): D {
  const { paths, components } = document;
  const ofRequests = new Set<string>();
  for (const operations of Object.values(paths)) {
    for (const { requestBody, parameters } of Object.values(operations)) {
      collect([requestBody, parameters], components, ofRequests);
    }
  }
  const schemas = mapValues(components.schemas, (schema, name) => (ofRequests.has(name) ? schema : opened(schema)));
  const responses = opened(components.responses) as Json;
  const opening = mapOperations(paths, (operation) => ({ ...operation, responses: opened(operation['responses']) }));
  return { ...document, paths: opening, components: { ...components, schemas, responses } };
}

/** Adds the names of the component schemas that a part refers to, over other components too. */
function collect(part: unknown, components: Document['components'], names: Set<string>): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key !== '$ref' || typeof value !== 'string') {
      collect(value, components, names);
      continue;
    }
    const [kind = '', name = ''] = value.split('/').slice(2);
    if (kind === 'schemas' && names.has(name)) continue;
    if (kind === 'schemas') names.add(name);
    collect((components[kind] as Json | undefined)?.[name], components, names);
  }
}

function opened(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(opened);
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(([key, value]) => key !== 'additionalProperties' || value !== false);
  return Object.fromEntries(kept.map(([key, value]) => [key, opened(value)]));
}
