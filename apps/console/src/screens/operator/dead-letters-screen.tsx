// Messages that could not be applied, of all clients.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Button } from '../../parts/button';
import { Empty, FailureNote } from '../../parts/notes';
import { useTitle } from '../../parts/use-title';
import { texts } from '../../texts';
import { deadLettersTexts as words } from '../../texts/operator';
import { readLetters } from './letter-actions';
import { Letters } from './letters';
import './operator.css';

export function DeadLettersScreen() {
  useTitle(words.title);
  const query = useInfiniteQuery({
    queryKey: ['dead-letters'],
    queryFn: ({ pageParam, signal }) => readLetters(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextAfter }) => nextAfter ?? undefined,
    // A failure to read more says nothing of what is shown.
    meta: { showsFailure: true },
  });
  const { data, error, refetch } = query;
  const letters = data?.pages.flatMap(({ items }) => items);
  return (
    <>
      <header className="screen-head">
        <h1>{words.title}</h1>
        {data !== undefined && <span className="muted">{words.total(data.pages.at(-1)?.totalRecords ?? 0)}</span>}
      </header>
      {letters === undefined && error !== null ? (
        <FailureNote title={words.failed} error={error} onRetry={() => void refetch()} />
      ) : letters?.length === 0 ? (
        <Empty title={words.empty}>
          <p>{words.emptyText}</p>
        </Empty>
      ) : (
        <section className="card" aria-label={words.title}>
          <p className="operator-note">{words.about}</p>
          <Letters letters={letters} areAll={!query.hasNextPage} />
          {error !== null && (
            <FailureNote
              title={query.isFetchNextPageError ? words.moreFailed : texts.frame.stale}
              error={error}
              onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : refetch())}
            />
          )}
          {query.hasNextPage && (
            <p className="operator-note">
              <Button size="s" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {words.more}
              </Button>
            </p>
          )}
        </section>
      )}
    </>
  );
}
