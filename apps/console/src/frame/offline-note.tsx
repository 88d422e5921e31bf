import { useSyncExternalStore } from 'react';
import { useAnnounced } from '../parts/announcer';
import { texts } from '../texts';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Shown while the browser has no network: what is on the screen may be old. */
export function OfflineNote() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  useAnnounced(isOnline ? undefined : texts.frame.offline);
  if (isOnline) return null;
  return <p className="offline">{texts.frame.offline}</p>;
}
