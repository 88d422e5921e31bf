import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

const EACH_MS = 5_000;

export const statisticsQuery = {
  queryKey: ['statistics'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => dataOf(api.GET('/v2/statistics', { signal })),
};

/** The figures of the network, anew each 5 s while the page is visible. */
export function useStatistics() {
  return useQuery({ ...statisticsQuery, refetchInterval: EACH_MS });
}
