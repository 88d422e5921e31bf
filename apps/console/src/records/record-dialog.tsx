// Creates or changes a record in a dialog. Where somebody else changed it meanwhile, both versions stand side by side.
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { isFailure } from '../api/problem';
import { Button } from '../parts/button';
import { Dialog, DialogActions } from '../parts/dialog';
import { FailureNote } from '../parts/notes';
import { texts } from '../texts';
import { recordsTexts } from '../texts/records';
import { Conflict } from './conflict';
import { changeOf, valuesOf, valuesOfForm, type FieldValues, type RecordField } from './record-fields';
import { RecordInputs } from './record-inputs';

const words = recordsTexts;

/** A stored record with its ETag. */
export interface Versioned {
  readonly record: unknown;
  readonly etag: string;
}

interface RecordFormProps {
  readonly fields: readonly RecordField[];
  /** What is changed; undefined: a new record. */
  readonly stored: Versioned | undefined;
  readonly action: string;
  readonly failed: string;
  readonly note?: ReactNode;
  readonly send: (change: Readonly<Record<string, unknown>>, etag: string) => Promise<unknown>;
  /** Reads the record again, where a change met another one. */
  readonly read?: () => Promise<Versioned>;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface RecordDialogProps extends RecordFormProps {
  readonly open: boolean;
  readonly title: string;
}

interface Met {
  readonly own: FieldValues;
  readonly stored: Versioned;
}

export function RecordDialog({ open, title, ...form }: RecordDialogProps) {
  return (
    <Dialog open={open} onClose={form.onClose} title={title}>
      <RecordForm {...form} />
    </Dialog>
  );
}

function RecordForm({ fields, stored, action, failed, note, send, read, onClose, onDone }: RecordFormProps) {
  // As it was when the form was opened: events may change it behind the form.
  const [first] = useState(stored);
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({});
  const [met, setMet] = useState<Met>();
  const before = valuesOf(fields, first?.record);
  const change = useMutation({ mutationFn: attempt });

  async function attempt({ own, etag }: { readonly own: FieldValues; readonly etag: string }): Promise<void> {
    const made = changeOf(fields, before, own, words.noJson);
    if ('issues' in made) return setIssues(made.issues);
    setIssues({});
    try {
      if (first === undefined || Object.keys(made.change).length > 0) await send(made.change, etag);
    } catch (error) {
      if (read === undefined || !isFailure(error) || error.code !== 'precondition_failed') throw error;
      return setMet({ own, stored: await read() });
    }
    onDone();
    onClose();
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    change.mutate({ own: valuesOfForm(fields, new FormData(event.currentTarget)), etag: first?.etag ?? '*' });
  }

  if (met !== undefined) {
    return (
      <Conflict
        fields={fields}
        versions={{ before, stored: valuesOf(fields, met.stored.record), own: met.own }}
        failure={change.error === null ? undefined : <FailureNote title={failed} error={change.error} />}
        isBusy={change.isPending}
        onKeepStored={() => {
          onDone();
          onClose();
        }}
        onSendOwn={() => change.mutate({ own: met.own, etag: met.stored.etag })}
      />
    );
  }
  return (
    <form className="stack" onSubmit={submit}>
      {change.error !== null && <FailureNote title={failed} error={change.error} />}
      {note}
      <RecordInputs fields={fields} values={before} issues={issues} error={change.error} />
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="primary" type="submit" busy={change.isPending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  );
}
