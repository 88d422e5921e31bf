import type { Issue } from '../routing/request/issue';
import { createCompiler } from '../routing/request/validate';

/** Where a value does not fit a JSON Schema. */
export function schemaIssues(schema: object, value: unknown): readonly Issue[] {
  return createCompiler()(schema, '/')(value);
}
