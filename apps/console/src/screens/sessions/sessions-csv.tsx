// All sessions that the filters of the screen leave, as CSV.
import { api, dataOf } from '../../api/client';
import { csvLine } from '../../parts/csv';
import { CsvDownload, type CsvPage } from '../../parts/csv-download';
import { sessionFiltersTexts as words } from '../../texts/session-filters';
import { queryOf, type SessionsSearch } from './sessions-search';

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

export function SessionsCsv({ search }: { readonly search: SessionsSearch }) {
  async function readPage(after: string | undefined, signal: AbortSignal): Promise<CsvPage> {
    const query = { ...queryOf(search, new Date()), limit: 100, ...(after === undefined ? {} : { after }) };
    const { items, totalRecords, nextCursor } = await dataOf(api.GET('/v2/sessions', { params: { query }, signal }));
    const lines = items.map((session) => csvLine(COLUMNS.map((column) => session[column])));
    return { lines, total: totalRecords, nextCursor };
  }
  return <CsvDownload words={words} fileName="sessions.csv" header={csvLine([...COLUMNS])} readPage={readPage} />;
}
