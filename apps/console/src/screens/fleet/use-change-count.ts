// How many changes the list would show if it were read anew: of rows in sight by events, of others by counting again.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, dataOf } from '../../api/client';
import { filtersOf, isFiltered, queryOf, type FleetSearch } from './fleet-search';
import { countChanges } from './list-changes';

const EACH_MS = 5_000;

interface ChangeCountInput {
  readonly search: FleetSearch;
  /** The length of the list as it was read. */
  readonly total: number | undefined;
  /** The number of chargers of the client now, by the figures. */
  readonly chargers: number | undefined;
  /** Rows that events took out of the list. */
  readonly gone: number;
}

export function useChangeCount({ search, total, chargers, gone }: ChangeCountInput) {
  const [reading, setReading] = useState(0);
  const [initial, setInitial] = useState<number>();
  const isCounted = isFiltered(search);
  useEffect(() => {
    if (initial === undefined && !isCounted && chargers !== undefined) setInitial(chargers);
  }, [initial, isCounted, chargers]);
  const latestGone = useRef(gone);
  useEffect(() => {
    latestGone.current = gone;
  });
  const { data } = useQuery({
    queryKey: ['chargers', 'count', filtersOf(search), reading, total],
    queryFn: async ({ signal }) => {
      const query = { ...queryOf(search), limit: 1 };
      const { totalRecords } = await dataOf(api.GET('/v2/chargers', { params: { query }, signal }));
      return { counted: totalRecords, gone: latestGone.current };
    },
    enabled: isCounted && total !== undefined,
    // The list was counted as it was read.
    initialData: total === undefined ? undefined : { counted: total, gone: 0 },
    staleTime: EACH_MS,
    gcTime: 0,
    refetchInterval: EACH_MS,
  });
  const count = isCounted
    ? countChanges({ shown: total ?? 0, counted: data?.counted ?? total, goneAtCount: data?.gone ?? 0, gone })
    : countChanges({ shown: initial ?? chargers ?? 0, counted: chargers, goneAtCount: 0, gone });
  return {
    count,
    /** The list is read anew. */
    reset() {
      setInitial(undefined);
      setReading((before) => before + 1);
    },
  };
}
