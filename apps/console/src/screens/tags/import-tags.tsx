// Creates and changes tags from a CSV file. None is stored until all rows are valid; each that is not is named by its line.
import { useMutation } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { api, dataOf } from '../../api/client';
import { isFailure } from '../../api/problem';
import { useResponded } from '../../parts/announcer';
import { Button } from '../../parts/button';
import { Dialog, DialogActions } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { FailureNote } from '../../parts/notes';
import { texts } from '../../texts';
import { tagsTexts as words } from '../../texts/tags';
import { issueOfRow, TAG_COLUMNS, tagsOfFile } from './tags-csv';
import './tags.css';

/** The API names no more rows in one response. */
const MAX_ISSUES = 1_000;

interface ImportProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onStored: () => void;
}

export function ImportTags({ open, onClose, onStored }: ImportProps) {
  return (
    <Dialog open={open} onClose={onClose} title={words.readTitle} description={words.readText(TAG_COLUMNS.join(', '))}>
      <Form onClose={onClose} onStored={onStored} />
    </Dialog>
  );
}

function Form({ onClose, onStored }: Omit<ImportProps, 'open'>) {
  const [issues, setIssues] = useState<readonly string[]>([]);
  const [hasMore, setMore] = useState(false);
  const store = useMutation({ mutationFn: storeFile, onSuccess: onStored });

  async function storeFile(file: File) {
    setIssues([]);
    setMore(false);
    const read = tagsOfFile(await file.text());
    if ('issues' in read) {
      setIssues(read.issues);
      return undefined;
    }
    try {
      return await dataOf(api.POST('/v2/tags/import', { body: { tags: [...read.tags] } }));
    } catch (error) {
      const found = isFailure(error) ? (error.problem?.errors ?? []) : [];
      setIssues(found.map((issue) => issueOfRow(issue, read.lines)));
      setMore(found.length >= MAX_ISSUES);
      throw error;
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const file = new FormData(event.currentTarget).get('file');
    if (file instanceof File) store.mutate(file);
  }

  if (store.data !== undefined) return <Stored {...store.data} onClose={onClose} />;
  return (
    <form className="stack" onSubmit={submit}>
      {store.error !== null && <FailureNote title={words.readFailed} error={store.error} />}
      <Issues issues={issues} />
      {hasMore && <p>{words.firstIssues(MAX_ISSUES)}</p>}
      <TextField label={words.file} hint={words.fileHint} name="file" type="file" accept=".csv,text/csv" required />
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
        <Button kind="primary" type="submit" busy={store.isPending}>
          {words.readNow}
        </Button>
      </DialogActions>
    </form>
  );
}

interface StoredProps {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly onClose: () => void;
}

function Stored({ created, changed, unchanged, onClose }: StoredProps) {
  const sentence = words.stored(created, changed, unchanged);
  useResponded(sentence);
  return (
    <div className="stack">
      <p>{sentence}</p>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {texts.common.close}
        </Button>
      </DialogActions>
    </div>
  );
}

function Issues({ issues }: { readonly issues: readonly string[] }) {
  if (issues.length === 0) return null;
  // Thousands would be read aloud: only that there are some is.
  return (
    <div>
      <strong role="alert">{words.issues}</strong>
      <div className="tag-issues" role="region" aria-label={words.issues} tabIndex={0}>
        <ul>
          {issues.map((issue) => (
            <li key={issue}>{issue}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
