// All sessions that filters leave, as CSV.
import { api, dataOf } from '../api/client';
import { csvLine } from '../parts/csv';
import { CsvDownload, type CsvPage } from '../parts/csv-download';
import { sessionListTexts as words } from '../texts/session-list';
import type { SessionQuery } from './use-sessions';

const COLUMNS = [
  'transactionId',
  'chargerId',
  'socketId',
  'siteId',
  'siteName',
  'rfidTag',
  'state',
  'startTime',
  'endTime',
  'meterStart',
  'meterStop',
  'consumptionWh',
  'stopReason',
] as const;

interface SessionsCsvProps {
  readonly fileName: string;
  /** The filters, when the file is asked for. */
  readonly filters: () => SessionQuery;
}

export function SessionsCsv({ fileName, filters }: SessionsCsvProps) {
  async function readPage(after: string | undefined, signal: AbortSignal): Promise<CsvPage> {
    const order = { sortKey: 'startTime', sortDescending: true, limit: 100 } as const;
    const query = { ...order, ...filters(), ...(after === undefined ? {} : { after }) };
    const { items, totalRecords, nextCursor } = await dataOf(api.GET('/v2/sessions', { params: { query }, signal }));
    const lines = items.map((session) => csvLine(COLUMNS.map((column) => session[column])));
    return { lines, total: totalRecords, nextCursor };
  }
  return <CsvDownload words={words} fileName={fileName} header={csvLine([...COLUMNS])} readPage={readPage} />;
}
