import { useCallback, useState, useSyncExternalStore } from 'react';

/** Whether a media query, such as `(width < 640px)`, holds now. It must stay the same. */
export function useMedia(condition: string): boolean {
  const [query] = useState(() => matchMedia(condition));
  return useSyncExternalStore(
    useCallback(
      (changed: () => void) => {
        query.addEventListener('change', changed);
        return () => query.removeEventListener('change', changed);
      },
      [query],
    ),
    () => query.matches,
  );
}
