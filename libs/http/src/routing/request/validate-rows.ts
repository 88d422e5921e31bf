// Validates a body with a list of thousands of rows. All issues of every row would take far more memory than the body.
import type { JSONSchema } from 'json-schema-to-ts';
import type { ObjectSchema } from '../route';
import type { Issue } from './issue';
import { createCompiler, type Validator } from './validate';

/** In one response. */
export const MAX_ROW_ISSUES = 1_000;

/** Of the schema of a body and the name of its list. The first issue of each row, up to a thousand; other fields as usual. */
export function createRowsCompiler(): (body: ObjectSchema, list: string) => Validator {
  const compile = createCompiler({ allErrors: false });
  return (body, list) => {
    const whole = body.properties[list] as { readonly items: JSONSchema };
    const checkRow = compile(whole.items, '');
    const properties = { ...body.properties, [list]: { ...whole, items: {} } };
    const checkBody = compile({ ...(body as object), properties }, '');
    return (value) => {
      const issues = checkBody(value);
      if (issues.length > 0) return issues;
      const rows = (value as Readonly<Record<string, readonly unknown[]>>)[list] ?? [];
      return issuesOf(rows, list, checkRow);
    };
  };
}

function issuesOf(rows: readonly unknown[], list: string, check: Validator): readonly Issue[] {
  const issues: Issue[] = [];
  for (const [n, row] of rows.entries()) {
    const [first] = check(row);
    if (first !== undefined) issues.push({ ...first, path: `/${list}/${String(n)}${first.path}` });
    if (issues.length === MAX_ROW_ISSUES) break;
  }
  return issues;
}
