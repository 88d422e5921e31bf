import { useRouter } from '@tanstack/react-router';
import { FailureNote } from '../parts/notes';
import { texts } from '../texts';

/** In place of a screen that failed; head and menu stay. */
export function ScreenFailure({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  const router = useRouter();
  return (
    <FailureNote
      isWhole
      title={texts.frame.screenFailed}
      error={error}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}
