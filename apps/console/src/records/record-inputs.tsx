// The inputs of a record's fields, with what the API says of each.
import { useState } from 'react';
import { isFailure } from '../api/problem';
import { AreaField, CheckField, SelectField, TextField } from '../parts/field';
import type { FieldOptions, FieldValue, FieldValues, RecordField } from './record-fields';
import './records.css';
import { SiteField } from './site-field';

/** Of most texts of the API. */
const MAX_LENGTH = 500;

interface InputsProps {
  readonly fields: readonly RecordField[];
  readonly values: FieldValues;
  readonly issues: Readonly<Record<string, string>>;
  readonly error: unknown;
}

export function RecordInputs({ fields, values, issues, error }: InputsProps) {
  const groups = [...new Set(fields.map(({ group }) => group))];
  return groups.map((group) => {
    const inputs = fields
      .filter((field) => field.group === group)
      .map((field) => (
        <Input
          key={field.name}
          field={field}
          value={values[field.name] ?? ''}
          issue={issues[field.name] ?? issueOf(error, field.name)}
        />
      ));
    if (group === undefined) return inputs;
    return (
      <fieldset key={group} className="record-group">
        <legend>{group}</legend>
        {inputs}
      </fieldset>
    );
  });
}

interface InputProps {
  readonly field: RecordField;
  readonly value: FieldValue;
  readonly issue: string | undefined;
}

function Input({ field, value, issue }: InputProps) {
  const { name, label, kind, hint, required = false, maxLength = MAX_LENGTH } = field;
  const common = { name, label, hint, required, error: issue };
  if (typeof value === 'boolean') return <CheckField name={name} label={label} hint={hint} defaultChecked={value} />;
  if (kind === 'json' || kind === 'area') return <AreaField {...common} defaultValue={value} />;
  if (kind === 'site') return <SiteField {...common} value={value} none={noneOf(field)} except={field.except} />;
  if (kind === 'choice') return <ChoiceInput {...common} options={field.options ?? []} value={value} />;
  if (kind === 'number') return <TextField {...common} type="number" step="any" defaultValue={value} />;
  const type = kind === 'time' ? 'datetime-local' : 'text';
  return <TextField {...common} type={type} maxLength={maxLength} defaultValue={value} />;
}

function noneOf({ options = [] }: RecordField): string | undefined {
  return options.find(([option]) => option === '')?.[1];
}

interface ChoiceInputProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly required: boolean;
  readonly error: string | undefined;
  readonly options: FieldOptions;
  readonly value: string;
}

/** Options may arrive after the form, and after the reader's choice. */
function ChoiceInput({ options, value, ...rest }: ChoiceInputProps) {
  const [chosen, setChosen] = useState(value);
  const isOffered = options.some(([option]) => option === value);
  return (
    <SelectField {...rest} value={chosen} onChange={({ target }) => setChosen(target.value)}>
      {!isOffered && <option value={value}>{value}</option>}
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}

function issueOf(error: unknown, name: string): string | undefined {
  if (!isFailure(error)) return undefined;
  const path = `/${name.replaceAll('.', '/')}`;
  return error.problem?.errors.find((issue) => issue.path === path || issue.path.startsWith(`${path}/`))?.message;
}
