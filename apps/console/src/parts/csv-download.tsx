// A whole list as CSV, read by cursor, with its progress: it may be long.
import { Download } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { Button } from './button';
import { saveFile } from './csv';
import type { CsvWords, Progress } from './csv-progress';
import { lazyPart } from './lazy-part';
import { useWasOpen } from './use-was-open';

/** A page of the list, already as lines. */
export interface CsvPage {
  readonly lines: readonly string[];
  readonly total: number;
  readonly nextCursor: string | null;
}

interface CsvDownloadProps {
  readonly words: CsvWords & { readonly csv: string };
  readonly fileName: string;
  readonly header: string;
  readonly readPage: (after: string | undefined, signal: AbortSignal) => Promise<CsvPage>;
}

const CsvProgress = lazyPart(() => import('./csv-progress'), 'CsvProgress');

export function CsvDownload({ words, fileName, header, readPage }: CsvDownloadProps) {
  const [progress, setProgress] = useState<Progress>();
  const wasOpened = useWasOpen(progress !== undefined);
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
      {wasOpened && (
        <Suspense>
          <CsvProgress words={words} progress={progress} onRetry={() => void download()} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
