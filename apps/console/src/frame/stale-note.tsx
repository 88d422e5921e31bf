import { notifyManager, useQueryClient, type Query } from '@tanstack/react-query';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { FailureNote } from '../parts/notes';
import { texts } from '../texts';

/** Shown while something on the screen could not be read again: it stays as it was. For all screens, so that none forgets it. */
export function StaleNote() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const error = useSyncExternalStore(
    useCallback((onChange) => cache.subscribe(notifyManager.batchCalls(onChange)), [cache]),
    () => cache.findAll({ predicate: isStale })[0]?.state.error ?? null,
  );
  // The first one until all is well: each poll that fails has another request id, and an alert that changes is read out again.
  const [kept, setKept] = useState(error);
  if ((kept === null) !== (error === null)) setKept(error);
  if (kept === null) return null;
  const retry = () => void client.refetchQueries({ predicate: isStale });
  return <FailureNote title={texts.frame.stale} error={kept} onRetry={retry} />;
}

/** But for queries whose screen shows the failure itself. */
function isStale(query: Query): boolean {
  const { data, status } = query.state;
  return status === 'error' && data !== undefined && query.isActive() && query.meta?.['showsFailure'] !== true;
}
