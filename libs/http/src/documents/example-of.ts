// Examples of schemas, from the examples of their parts.
import type { JSONSchema } from 'json-schema-to-ts';

interface Parts {
  readonly title?: string;
  readonly type?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JSONSchema>>;
  readonly required?: readonly string[];
  readonly items?: JSONSchema;
  readonly anyOf?: readonly JSONSchema[];
}

/**
 * The schema's own first example, else one made of the examples of its parts: all required properties, and the optional ones
 * that have an example themselves. Throws where a part has none, with its path.
 */
export function exampleOf(schema: JSONSchema, path = ''): unknown {
  const parts = schema as Parts;
  const name = parts.title ?? path;
  if (parts.examples !== undefined) return parts.examples[0];
  if (parts.properties !== undefined) {
    const { required = [] } = parts;
    const shown = Object.entries(parts.properties).filter(([key, part]) => required.includes(key) || hasOwn(part));
    return Object.fromEntries(shown.map(([key, part]) => [key, exampleOf(part, `${name}.${key}`)]));
  }
  if (parts.items !== undefined) return [exampleOf(parts.items, `${name}[]`)];
  if (parts.anyOf?.[0] !== undefined) return exampleOf(parts.anyOf[0], name);
  if (parts.enum !== undefined) return parts.enum[0];
  if (parts.type === 'boolean') return false;
  throw new Error(`the schema ${name} needs an example: give it "examples"`);
}

function hasOwn(schema: JSONSchema): boolean {
  return (schema as Parts).examples !== undefined;
}
