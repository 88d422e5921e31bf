import type { Issue } from '../routing/issue';
import { createCompiler } from '../routing/validate';

/** Where a value does not fit a JSON Schema. */
export function schemaIssues(schema: object, value: unknown): readonly Issue[] {
  return createCompiler()(schema, '/')(value);
}
