// The dialog over a list while it is read as CSV.
import { texts } from '../texts';
import { Button } from './button';
import { Dialog, DialogActions } from './dialog';
import { FailureNote } from './notes';

export interface CsvWords {
  readonly csvTitle: string;
  readonly csvFailed: string;
  readonly csvProgress: (done: number, total: number) => string;
}

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly error?: unknown;
}

interface CsvProgressProps {
  readonly words: CsvWords;
  /** Undefined: nothing is read, and the dialog is closed. */
  readonly progress: Progress | undefined;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

export function CsvProgress({ words, progress, onRetry, onClose }: CsvProgressProps) {
  const { done, total, error } = progress ?? { done: 0, total: 0 };
  return (
    <Dialog open={progress !== undefined} onClose={onClose} title={words.csvTitle}>
      {error === undefined ? (
        <div className="stack">
          <progress aria-label={words.csvTitle} max={Math.max(1, total)} value={done} />
          <p className="muted">{words.csvProgress(done, total)}</p>
        </div>
      ) : (
        <FailureNote title={words.csvFailed} error={error} onRetry={onRetry} />
      )}
      <DialogActions>
        <Button onClick={onClose}>{texts.common.cancel}</Button>
      </DialogActions>
    </Dialog>
  );
}
