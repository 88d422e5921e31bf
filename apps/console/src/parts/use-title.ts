import { useEffect } from 'react';

/** Names the document after the screen, for tabs and the history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Busbar`;
  }, [title]);
}
