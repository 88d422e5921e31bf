import { useEffect, useState } from 'react';

/** A tab that is hidden for longer holds no stream. */
export const HIDDEN_MS = 60_000;

/** False while the tab has been hidden for a minute. */
export function useInSight(): boolean {
  const [isInSight, setInSight] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onVisibility = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => setInSight(false), HIDDEN_MS);
      else setInSight(true);
    };
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, []);
  return isInSight;
}
