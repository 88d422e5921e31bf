import { AreaField, CheckField, SelectField, TextField } from '../../../parts/field';
import { texts } from '../../../texts';
import type { CommandDefinition, CommandField, Value } from './definitions';

interface FieldsProps {
  readonly definition: CommandDefinition;
  readonly fixed: Readonly<Record<string, Value>>;
  readonly issueOf: (name: string) => string | undefined;
}

/** The form of a command. What the button has decided already is shown, and cannot be changed. */
export function CommandFields({ definition, fixed, issueOf }: FieldsProps) {
  return definition.fields.map((field) => {
    const value = fixed[field.name];
    if (value !== undefined) return <Fixed key={field.name} label={field.label} value={String(value)} />;
    return <Control key={field.name} field={field} error={issueOf(field.name)} />;
  });
}

function Fixed({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <dl className="command-fixed">
      <dt>{label}</dt>
      <dd>{value}</dd>
    </dl>
  );
}

function Control({ field, error }: { readonly field: CommandField; readonly error: string | undefined }) {
  const { name, label, kind, required = false, initial } = field;
  const hint = field.hint ?? (required || kind === 'check' ? undefined : texts.common.optional);
  const common = { name, label, hint, error, required };
  if (kind === 'choice') {
    return (
      <SelectField {...common}>
        {field.options?.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </SelectField>
    );
  }
  if (kind === 'check') return <CheckField name={name} label={label} hint={hint} />;
  if (kind === 'json') return <AreaField {...common} rows={8} defaultValue={initial} />;
  if (kind === 'number') return <TextField {...common} type="number" min={0} step={1} inputMode="numeric" />;
  if (kind === 'time') return <TextField {...common} type="datetime-local" />;
  return <TextField {...common} />;
}
