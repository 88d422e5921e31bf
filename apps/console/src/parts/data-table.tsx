// A list of moderate length as a table: one page at a time, with its number in the address.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts } from '../texts';
import { Button } from './button';
import './data-table.css';
import { Skeleton } from './notes';
import { useMedia } from './use-media';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** Columns of lower rank go first where the screen is narrow: 1 stays always. */
  readonly rank?: 1 | 2 | 3;
  /** Where the screen is narrow it has no column: it stands in the first cell of its row, below what is there, alone or behind its label. */
  readonly below?: 'alone' | 'labelled';
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined: not read yet. */
  readonly rows: readonly Row[] | undefined;
  readonly keyOf: (row: Row) => string | number;
  readonly isFaded?: boolean;
}

const SKELETON_ROWS = 5;
/** As in data-table.css. */
const NARROW = '(width < 640px)';

export function DataTable<Row>({ label, columns: all, rows, keyOf, isFaded = false }: DataTableProps<Row>) {
  const isNarrow = useMedia(NARROW);
  const below = isNarrow ? all.filter((column) => column.below !== undefined) : [];
  const columns = all.filter((column) => !below.includes(column));
  return (
    <div className="table-scroll">
      <table className={isFaded ? 'table table-faded' : 'table'} aria-label={label} aria-busy={rows === undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" className={classOf(column)}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: SKELETON_ROWS }, (_, n) => (
                <tr key={n}>
                  {columns.map((column) => (
                    <td key={column.label} className={classOf(column)}>
                      <Skeleton width="60%" />
                    </td>
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={keyOf(row)}>
                  {columns.map((column, n) => (
                    <td key={column.label} className={classOf(column)}>
                      {column.cell(row)}
                      {n === 0 && below.map((each) => <Below key={each.label} column={each} row={row} />)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

/** A cell of a row that its narrow table has no column for. */
function Below<Row>({ column: { label, cell, below }, row }: { readonly column: Column<Row>; readonly row: Row }) {
  const content = cell(row);
  if (content === null || content === undefined || content === false || content === '') return null;
  return (
    <div className="cell-below">
      {below === 'labelled' && <span className="muted">{label} </span>}
      {content}
    </div>
  );
}

function classOf<Row>({ rank = 1, isNumber = false }: Column<Row>): string {
  return `rank-${String(rank)}${isNumber ? ' number' : ''}`;
}

interface PagerProps {
  /** Where a screen has several. */
  readonly label?: string;
  readonly page: number;
  readonly limit: number;
  /** The page as the API gives it; undefined until it is there. */
  readonly list: { readonly totalRecords?: number; readonly hasNextPage: boolean } | undefined;
  readonly onPage: (page: number) => void;
}

/** Which rows of how many, and the pages beside. */
export function Pager({ label = texts.table.pages, page, limit, list, onPage }: PagerProps) {
  const { totalRecords: total, hasNextPage: hasNext = false } = list ?? {};
  if (total === undefined || (page === 1 && !hasNext)) return null;
  return (
    <nav className="pager" aria-label={label}>
      <span className="muted">{texts.table.range((page - 1) * limit + 1, Math.min(page * limit, total), total)}</span>
      <Button size="s" icon={<ChevronLeft />} disabled={page === 1} onClick={() => onPage(page - 1)}>
        {texts.table.previous}
      </Button>
      <Button size="s" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        {texts.table.next}
        <ChevronRight />
      </Button>
    </nav>
  );
}
