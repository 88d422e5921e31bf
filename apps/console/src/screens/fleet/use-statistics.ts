import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';

const EACH_MS = 5_000;

/** The figures of the network, anew each 5 s while the page is visible. */
export function useStatistics() {
  return useQuery({
    queryKey: ['statistics'],
    queryFn: ({ signal }) => dataOf(api.GET('/v2/statistics', { signal })),
    refetchInterval: EACH_MS,
  });
}
