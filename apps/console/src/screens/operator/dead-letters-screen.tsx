// Messages that could not be applied, of all clients.
import { Button } from '../../parts/button';
import { Empty, FailureNote } from '../../parts/notes';
import { useTitle } from '../../parts/use-title';
import { texts } from '../../texts';
import { deadLettersTexts as words } from '../../texts/operator';
import { Letters } from './letters';
import './operator.css';
import { useDeadLetters } from './use-dead-letters';

export function DeadLettersScreen() {
  useTitle(words.title);
  const { query, loadMore } = useDeadLetters();
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
              <Button size="s" busy={query.isFetchingNextPage} onClick={loadMore}>
                {words.more}
              </Button>
            </p>
          )}
        </section>
      )}
    </>
  );
}
