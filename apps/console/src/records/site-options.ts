// The sites that a field offers, by their paths.
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client';
import { useMay } from '../api/use-session';
import type { FieldOptions } from './record-fields';

/** The first hundred sites by name; none where the key may not read them, or they are not wanted. */
export function useSiteOptions(isWanted = true): FieldOptions {
  const maySee = useMay('sites:read');
  const sites = useQuery({
    queryKey: ['sites', 'choice'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v2/sites', { params: { query: { sortKey: 'name', limit: 100 } }, signal })),
    enabled: maySee && isWanted,
    staleTime: 60_000,
  });
  return (sites.data?.items ?? []).map(({ id, sitePath }) => [String(id), sitePath] as const);
}
