// The dead letters, as far back as the address names.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readLetters } from './letter-actions';

/** The pages that were read, and what reads a further one and keeps that in the address. */
export function useDeadLetters() {
  const { pages = 1 } = useSearch({ from: '/operator/dead-letters' });
  const navigate = useNavigate({ from: '/operator/dead-letters' });
  const query = useInfiniteQuery({
    queryKey: ['dead-letters'],
    queryFn: ({ pageParam, signal }) => readLetters(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextAfter }) => nextAfter ?? undefined,
    // A failure to read more says nothing of what is shown.
    meta: { showsFailure: true },
  });
  const { data, error, fetchNextPage } = query;
  const loaded = data?.pages.length ?? 0;
  // One after the other, up to the page that the address names. A failure waits for the reader.
  const isShort = loaded > 0 && loaded < pages && query.hasNextPage && !query.isFetching && error === null;
  useEffect(() => {
    if (isShort) void fetchNextPage();
  }, [isShort, loaded, fetchNextPage]);
  function loadMore(): void {
    void fetchNextPage();
    void navigate({ search: (before) => ({ ...before, pages: loaded + 1 }), replace: true });
  }
  return { query, loadMore };
}
