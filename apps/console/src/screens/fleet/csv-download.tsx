// The whole list as CSV, read by cursor: the filters and the order of the screen apply.
import { api, dataOf } from '../../api/client';
import { csvLine } from '../../parts/csv';
import { CsvDownload as Download, type CsvPage } from '../../parts/csv-download';
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

export function CsvDownload({ search }: { readonly search: FleetSearch }) {
  async function readPage(after: string | undefined, signal: AbortSignal): Promise<CsvPage> {
    const query = { ...queryOf(search), ...(after === undefined ? {} : { after }) };
    const { items, totalRecords, nextCursor } = await dataOf(api.GET('/v2/chargers', { params: { query }, signal }));
    return { lines: items.map(lineOf), total: totalRecords, nextCursor };
  }
  return (
    <Download
      words={texts.fleet}
      fileName="chargers.csv"
      header={csvLine([...COLUMNS, 'sockets'])}
      readPage={readPage}
    />
  );
}

function lineOf(row: Row): string {
  const sockets = row.sockets.map(({ id, status }) => `${String(id)} ${status}`).join('; ');
  return csvLine([...COLUMNS.map((column) => row[column]), sockets]);
}
