// A page of something that a charger holds, in a card with its title; one line where there is nothing.
import type { ReactNode } from 'react';
import { DataTable, Pager, type Column } from '../../../parts/data-table';
import { FailureNote } from '../../../parts/notes';
import { HeldCard, HeldNote } from './held-card';

export const PAGE_SIZE = 10;

interface HeldPageProps<Row> {
  readonly words: { readonly title: string; readonly failed: string; readonly none: string };
  readonly query: {
    readonly data:
      { readonly items: readonly Row[]; readonly totalRecords: number; readonly hasNextPage: boolean } | undefined;
    readonly error: unknown;
    readonly isPlaceholderData: boolean;
    refetch(): unknown;
  };
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly page: number;
  readonly onPage: (page: number) => void;
  /** Stands instead of the line where there is nothing, or above the table. */
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

export function HeldPage<Row>({ words, query, columns, keyOf, page, onPage, note, children }: HeldPageProps<Row>) {
  const { data, error, isPlaceholderData, refetch } = query;
  const isFailed = data === undefined && error !== null;
  const isNone = data?.totalRecords === 0;
  return (
    <HeldCard title={words.title}>
      {isFailed && <FailureNote title={words.failed} error={error} onRetry={() => void refetch()} />}
      {note}
      {isNone && note === undefined && <HeldNote>{words.none}</HeldNote>}
      {!isFailed && !isNone && (
        <DataTable label={words.title} columns={columns} rows={data?.items} keyOf={keyOf} isFaded={isPlaceholderData} />
      )}
      <Pager page={page} limit={PAGE_SIZE} list={data} onPage={onPage} />
      {children}
    </HeldCard>
  );
}
