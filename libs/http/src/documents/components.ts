// The components of an OpenAPI document: schemas with a title, examples, and the headers and parameters that operations share.
import { isDeepStrictEqual } from 'node:util';
import type { JSONSchema } from 'json-schema-to-ts';
import { exampleOf } from './example-of';
import { mapValues } from './map-values';

export type Json = Record<string, unknown>;

export type OpenApiVersion = '3.0.3' | '3.1.0';

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

type Kind = 'schemas' | 'examples' | 'headers' | 'parameters';

export interface Components {
  /** The schema with each part that has a title moved into the components. */
  schema(schema: JSONSchema): unknown;
  /** A schema with its examples, as content of a media type. Without others its own example has its title. */
  content(schema: JSONSchema, examples?: Readonly<Record<string, Example>>): Json;
  /** Adds a component and returns the reference to it. Throws where another component has the name. */
  add(kind: Kind, name: string, component: unknown): Json;
  /** All that were added. */
  readonly all: Readonly<Record<Kind, Json>>;
}

export function createComponents(version: OpenApiVersion): Components {
  const all: Components['all'] = { schemas: {}, examples: {}, headers: {}, parameters: {} };

  const add: Components['add'] = (kind, name, component) => {
    // Otherwise one would silently replace the other.
    if (all[kind][name] !== undefined && !isDeepStrictEqual(all[kind][name], component)) {
      throw new Error(`two different ${kind} have the title ${name}: give one of them another`);
    }
    all[kind][name] = component;
    return { $ref: `#/components/${kind}/${name}` };
  };

  function schemaOf(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(schemaOf);
    if (typeof part !== 'object' || part === null) return part;
    const { examples, ...rest } = part as Json;
    const whole: Json = mapValues(rest, schemaOf);
    const { title, type } = whole;
    // A titled schema has its example beside it, in the components.
    if (typeof title === 'string' && type !== undefined) return add('schemas', nameOf(title), whole);
    return Array.isArray(examples) ? { ...whole, ...examplesOf(examples) } : whole;
  }

  /** OpenAPI 3.0 has a single example of a schema. */
  function examplesOf(examples: readonly unknown[]): Json {
    return version === '3.0.3' ? { example: examples[0] } : { examples };
  }

  return {
    all,
    add,
    schema: schemaOf,
    content(schema, examples = ownExample(schema)) {
      return {
        schema: schemaOf(schema),
        examples: mapValues(examples, (example, name) => add('examples', name, example)),
      };
    },
  };
}

function ownExample(schema: JSONSchema): Readonly<Record<string, Example>> {
  const { title, description } = schema as { readonly title?: string; readonly description?: string };
  if (title === undefined) throw new Error('the schema of a body or response needs a title');
  return { [nameOf(title)]: { summary: description ?? title, value: exampleOf(schema) } };
}

function nameOf(title: string): string {
  return title.replaceAll(' ', '');
}
