// The whole list as CSV, read by cursor: the filters and the order of the screen apply.
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { api, dataOf } from '../../api/client';
import { Button } from '../../parts/button';
import { csvLine, saveFile } from '../../parts/csv';
import { Dialog, DialogActions } from '../../parts/dialog';
import { FailureNote } from '../../parts/notes';
import { texts } from '../../texts';
import type { Row } from './fleet-pages';
import { queryOf, type FleetSearch } from './fleet-search';

const COLUMNS = [
  'chargerId',
  'name',
  'siteId',
  'siteName',
  'state',
  'activeConnection',
  'connectedSince',
  'lastSeen',
  'ocppVersion',
  'manufacturer',
  'model',
  'serial',
  'firmware',
] as const;

interface Progress {
  readonly done: number;
  readonly total: number;
  readonly error?: unknown;
}

export function CsvDownload({ search }: { readonly search: FleetSearch }) {
  const [progress, setProgress] = useState<Progress>();
  const stopped = useRef<AbortController>(undefined);

  async function download(): Promise<void> {
    const controller = new AbortController();
    stopped.current = controller;
    setProgress({ done: 0, total: 0 });
    try {
      const parts = [csvLine([...COLUMNS, 'sockets'])];
      for (let after: string | undefined, isLast = false; !isLast;) {
        const query = { ...queryOf(search), ...(after === undefined ? {} : { after }) };
        const page = await dataOf(api.GET('/v2/chargers', { params: { query }, signal: controller.signal }));
        parts.push(page.items.map(lineOf).join(''));
        setProgress(({ done } = { done: 0, total: 0 }) => ({
          done: done + page.items.length,
          total: page.totalRecords,
        }));
        after = page.nextCursor ?? undefined;
        isLast = after === undefined;
      }
      saveFile('chargers.csv', 'text/csv', parts);
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
        {texts.fleet.csv}
      </Button>
      <Dialog open={progress !== undefined} onClose={close} title={texts.fleet.csvTitle}>
        {progress?.error === undefined ? (
          <div className="stack">
            <progress
              aria-label={texts.fleet.csvTitle}
              max={Math.max(1, progress?.total ?? 1)}
              value={progress?.done ?? 0}
            />
            <p className="muted">{texts.fleet.csvProgress(progress?.done ?? 0, progress?.total ?? 0)}</p>
          </div>
        ) : (
          <FailureNote title={texts.fleet.csvFailed} error={progress.error} onRetry={() => void download()} />
        )}
        <DialogActions>
          <Button onClick={close}>{texts.common.cancel}</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function lineOf(row: Row): string {
  const sockets = row.sockets.map(({ id, status }) => `${String(id)} ${status}`).join('; ');
  return csvLine([...COLUMNS.map((column) => row[column]), sockets]);
}
