// The local list of a charger as it was sent and accepted.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../api/client';
import type { Column } from '../../../parts/data-table';
import { TagText } from '../../../parts/tag-text';
import { DateTime } from '../../../parts/time';
import { texts } from '../../../texts';
import { heldTexts as words } from '../../../texts/held';
import { useChargerSearch } from '../use-charger-search';
import { HeldNote } from './held-card';
import { HeldPage, PAGE_SIZE } from './held-page';

export function LocalList({ chargerId }: { readonly chargerId: string }) {
  const {
    search: { tags: page = 1 },
    change,
  } = useChargerSearch();
  const query = useQuery({
    queryKey: ['held', chargerId, 'local list', page],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v2/chargers/{chargerId}/local-list', {
          params: { path: { chargerId }, query: { page, limit: PAGE_SIZE } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <HeldPage
      words={{ title: words.localList, failed: words.localListFailed, none: words.noLocalList }}
      query={query}
      columns={COLUMNS}
      keyOf={({ rfidTag }) => rfidTag}
      page={page}
      onPage={(next) => change({ tags: next })}
      note={noteOf(query.data)}
    />
  );
}

/** Which version it is; undefined where no list was sent. */
function noteOf(list: Schemas['LocalList'] | undefined) {
  if (list === undefined || list.listVersion === null) return undefined;
  return (
    <>
      <HeldNote>{words.version(list.listVersion, list.totalRecords)}</HeldNote>
      {!list.complete && <HeldNote>{words.incomplete}</HeldNote>}
    </>
  );
}

const COLUMNS: readonly Column<Schemas['LocalListTag']>[] = [
  { label: words.tag, cell: ({ rfidTag }) => <TagText tag={rfidTag} /> },
  { label: words.status, cell: ({ status }) => status },
  {
    label: words.group,
    cell: ({ parentRfidTag }) => (parentRfidTag === null ? texts.common.none : <TagText tag={parentRfidTag} />),
    rank: 2,
  },
  {
    label: words.expires,
    cell: ({ expiringDate }) => (expiringDate === null ? texts.common.none : <DateTime at={expiringDate} />),
    rank: 2,
  },
];
