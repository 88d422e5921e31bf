// A labelled control with its hint and its error, tied together for screen readers.
import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import './field.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

export function TextField({
  label,
  hint,
  error,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement> & { readonly ref?: React.Ref<HTMLInputElement> }) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <input className="control" autoComplete="off" spellCheck={false} {...rest} {...attributes} />}
    </Field>
  );
}

export function SelectField({
  label,
  hint,
  error,
  children,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => (
        <select className="control" {...rest} {...attributes}>
          {children}
        </select>
      )}
    </Field>
  );
}

export function AreaField({ label, hint, error, ...rest }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(attributes) => <textarea className="control control-area" spellCheck={false} {...rest} {...attributes} />}
    </Field>
  );
}

export function CheckField({ label, hint, ...rest }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="check-field">
      <input type="checkbox" id={id} aria-describedby={`${id}-hint`} {...rest} />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Field({
  label,
  hint,
  error,
  children,
}: FieldProps & { readonly children: (attributes: Record<string, unknown>) => ReactNode }) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error !== undefined || undefined,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
      })}
      {note !== undefined && (
        <p className={error === undefined ? 'field-hint' : 'field-error'} id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}
