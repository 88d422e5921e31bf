// The sites that a field offers, by their paths.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api/client';
import { useMay } from '../api/use-session';
import type { FieldOptions } from './record-fields';

export interface OfferedSites {
  /** At most a hundred, by name. */
  readonly options: FieldOptions;
  /** Undefined: not read yet, or the key may not read sites. */
  readonly total: number | undefined;
}

export function useSites(search?: string, isWanted = true): OfferedSites {
  const maySee = useMay('sites:read');
  const query = { sortKey: 'name' as const, limit: 100, ...(search === undefined ? {} : { search }) };
  const { data } = useQuery({
    queryKey: ['sites', 'choice', search],
    queryFn: ({ signal }) => dataOf(api.GET('/v2/sites', { params: { query }, signal })),
    enabled: maySee && isWanted,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const options = (data?.items ?? []).map(({ id, sitePath }) => [String(id), sitePath] as const);
  return { options, total: data?.totalRecords };
}

/** The path of one site; its id where the path is not known. */
export function useSitePath(siteId: number | undefined): string {
  const maySee = useMay('sites:read');
  const { data } = useQuery({
    queryKey: ['sites', 'path', siteId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v2/sites/{siteId}', { params: { path: { siteId: siteId ?? 0 } }, signal })),
    enabled: maySee && siteId !== undefined,
    staleTime: 60_000,
  });
  return data?.sitePath ?? String(siteId ?? '');
}
