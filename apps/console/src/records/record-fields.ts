// The fields of a record that its owner sets, as a form shows them, and the change of the API that a form becomes. Pure.
import { objectOf } from '../parts/json-object';

export type FieldValue = string | boolean;
/** By the name of the field: a text as it is typed, or whether it is checked. */
export type FieldValues = Readonly<Record<string, FieldValue>>;
export type FieldOptions = readonly (readonly [value: string, label: string])[];

export interface RecordField {
  /** The path of the field in the record, such as `location.city`. */
  readonly name: string;
  readonly label: string;
  /** `names`: a list of texts, separated by commas. `site`: the id of a site. */
  readonly kind: 'text' | 'number' | 'check' | 'names' | 'json' | 'choice' | 'site' | 'time' | 'area';
  /** What a choice offers; of a site, those whose names are known, and that there may be none (an empty value). */
  readonly options?: FieldOptions;
  /** Sites that cannot be chosen. */
  readonly except?: readonly string[];
  readonly hint?: string;
  readonly required?: boolean;
  readonly maxLength?: number;
  /** Fields of the same group stand together under its name. */
  readonly group?: string;
}

export interface Difference {
  readonly field: RecordField;
  readonly stored: FieldValue;
  readonly own: FieldValue;
}

export type ChangeOrIssues =
  { readonly change: Readonly<Record<string, unknown>> } | { readonly issues: Readonly<Record<string, string>> };

/** The values of a record; of a new one where there is none. */
export function valuesOf(fields: readonly RecordField[], record: unknown): FieldValues {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(field, at(record, field.name))]));
}

export function valuesOfForm(fields: readonly RecordField[], form: FormData): FieldValues {
  return Object.fromEntries(
    fields.map(({ name, kind }): [string, FieldValue] => {
      const value = form.get(name);
      if (kind === 'check') return [name, value !== null];
      return [name, typeof value === 'string' ? value.trim() : ''];
    }),
  );
}

/** What a form changed, as the body of a request: an emptied field is null. `issues` names fields that cannot be sent. */
export function changeOf(
  fields: readonly RecordField[],
  before: FieldValues,
  after: FieldValues,
  noJson: string,
): ChangeOrIssues {
  const change: Record<string, unknown> = {};
  const issues: Record<string, string> = {};
  for (const field of fields) {
    const value = after[field.name] ?? '';
    if (value === before[field.name]) continue;
    const parsed = valueOf(field, value);
    if (parsed === undefined) issues[field.name] = noJson;
    else put(change, field.name, parsed);
  }
  return Object.keys(issues).length === 0 ? { change } : { issues };
}

/** Where what is stored meanwhile, or the form, differs from what the form began with. */
export function differencesOf(
  fields: readonly RecordField[],
  before: FieldValues,
  stored: FieldValues,
  own: FieldValues,
): readonly Difference[] {
  return fields.flatMap((field) => {
    const { [field.name]: was = '' } = before;
    const { [field.name]: now = was } = stored;
    const { [field.name]: mine = was } = own;
    return now === was && mine === was ? [] : [{ field, stored: now, own: mine }];
  });
}

/** A value for a reader. */
export function shownOf({ kind, options }: RecordField, value: FieldValue, yesNo: readonly [string, string]): string {
  if (kind === 'check') return value === true ? yesNo[0] : yesNo[1];
  return options?.find(([option]) => option === value)?.[1] ?? String(value);
}

/** A moment as an input of the kind `datetime-local` has it, in the zone of the reader. */
export function localOf(at: string): string {
  const date = new Date(at);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

function textOf({ kind }: RecordField, value: unknown): FieldValue {
  if (kind === 'check') return value === true;
  if (value === null || value === undefined) return '';
  if (kind === 'names') return Array.isArray(value) ? value.join(', ') : '';
  if (kind === 'json') return Object.keys(value).length === 0 ? '' : JSON.stringify(value, undefined, 2);
  if (kind === 'time') return typeof value === 'string' ? localOf(value) : '';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Undefined: no JSON object. */
function valueOf({ kind }: RecordField, value: FieldValue): unknown {
  if (typeof value === 'boolean') return value;
  if (value === '') return null;
  if (kind === 'number' || kind === 'site') return Number(value);
  if (kind === 'names') return value.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (kind === 'time') return new Date(value).toISOString();
  return kind === 'json' ? objectOf(value) : value;
}

function at(record: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (part, name) => (typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined),
      record,
    );
}

function put(target: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) {
    target[first] = value;
    return;
  }
  const inner = (target[first] ?? {}) as Record<string, unknown>;
  target[first] = inner;
  put(inner, rest.join('.'), value);
}
