/**
 * The schema of a field with its text and example in the OpenAPI document. Without an example it keeps its own, or the document
 * makes one of the examples of its parts.
 */
export function field<const S extends object>(schema: S, description: string, example?: unknown): S {
  return { ...schema, description, ...(example === undefined ? {} : { examples: [example] }) };
}
