// Whether anybody may be looking: a tab that has been hidden for a minute holds no stream.
import { useSyncExternalStore } from 'react';

const HIDDEN_MS = 60_000;

/** Says at once whether the tab is seen, then false a minute after it was hidden and true when it is seen again. Returns what ends it. */
export function watchSight(onChange: (isInSight: boolean) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = () => {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(() => onChange(false), HIDDEN_MS);
    else onChange(true);
  };
  onVisibility();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

/** Whether the tab is seen now. */
export function useIsSeen(): boolean {
  return useSyncExternalStore(followVisibility, () => !document.hidden);
}

function followVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
