import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { loadFailedParts } from '../parts/lazy-part';
import { FailureNote } from '../parts/notes';
import { texts } from '../texts';

/** In place of a screen that failed; head and menu stay. */
export function ScreenFailure({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const router = useRouter();
  const client = useQueryClient();
  return (
    <FailureNote
      isWhole
      title={texts.frame.screenFailed}
      error={error}
      onRetry={() => {
        // Drawn of the same data it would fail again.
        void client.resetQueries({ type: 'inactive' });
        loadFailedParts();
        reset();
        void router.invalidate();
      }}
    />
  );
}
