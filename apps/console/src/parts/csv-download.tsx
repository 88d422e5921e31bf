// A whole list as CSV, read by cursor, with its progress: it may be long.
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import { saveFile } from './csv';
import { Dialog, DialogActions } from './dialog';
import { FailureNote } from './notes';

/** A page of the list, already as lines. */
export interface CsvPage {
  readonly lines: readonly string[];
  readonly total: number;
  readonly nextCursor: string | null;
}

interface CsvDownloadProps {
  readonly words: {
    readonly csv: string;
    readonly csvTitle: string;
    readonly csvFailed: string;
    readonly csvProgress: (done: number, total: number) => string;
  };
  readonly fileName: string;
  readonly header: string;
  readonly readPage: (after: string | undefined, signal: AbortSignal) => Promise<CsvPage>;
}

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly error?: unknown;
}

export function CsvDownload({ words, fileName, header, readPage }: CsvDownloadProps) {
  const [progress, setProgress] = useState<Progress>();
  const stopped = useRef<AbortController>(undefined);

  async function download(): Promise<void> {
    const controller = new AbortController();
    stopped.current = controller;
    setProgress({ done: 0, total: 0 });
    try {
      const parts = [header];
      for (let after: string | undefined, isLast = false, done = 0; !isLast;) {
        const page = await readPage(after, controller.signal);
        parts.push(page.lines.join(''));
        done += page.lines.length;
        setProgress({ done, total: page.total });
        after = page.nextCursor ?? undefined;
        isLast = after === undefined;
      }
      saveFile(fileName, 'text/csv', parts);
      setProgress(undefined);
    } catch (error) {
      setProgress(controller.signal.aborted ? undefined : { done: 0, total: 0, error });
    }
  }

  function close(): void {
    stopped.current?.abort();
    setProgress(undefined);
  }

  return (
    <>
      <Button icon={<Download />} onClick={() => void download()}>
        {words.csv}
      </Button>
      <Dialog open={progress !== undefined} onClose={close} title={words.csvTitle}>
        {progress?.error === undefined ? (
          <div className="stack">
            <progress aria-label={words.csvTitle} max={Math.max(1, progress?.total ?? 1)} value={progress?.done ?? 0} />
            <p className="muted">{words.csvProgress(progress?.done ?? 0, progress?.total ?? 0)}</p>
          </div>
        ) : (
          <FailureNote title={words.csvFailed} error={progress.error} onRetry={() => void download()} />
        )}
        <DialogActions>
          <Button onClick={close}>{texts.common.cancel}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
