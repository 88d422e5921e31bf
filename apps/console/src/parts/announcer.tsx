// The one polite region by which changes are read aloud: at most one sentence in five seconds, the latest.
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react';

const INTERVAL_MS = 5_000;

const AnnounceContext = createContext<(sentence: string) => void>(() => undefined);

export function useAnnounce(): (sentence: string) => void {
  return useContext(AnnounceContext);
}

export function Announcer({ children }: { readonly children: ReactNode }) {
  const [sentence, setSentence] = useState('');
  const state = useRef<{ lastAt: number; timer: ReturnType<typeof setTimeout> | undefined; next: string }>({
    lastAt: -Infinity,
    timer: undefined,
    next: '',
  });
  const announce = useCallback((next: string) => {
    const own = state.current;
    own.next = next;
    own.timer ??= setTimeout(
      () => {
        own.timer = undefined;
        own.lastAt = performance.now();
        setSentence(own.next);
      },
      Math.max(0, own.lastAt + INTERVAL_MS - performance.now()),
    );
  }, []);
  useEffect(() => () => clearTimeout(state.current.timer), []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <div className="hidden-text" aria-live="polite" role="status">
        {sentence}
      </div>
    </AnnounceContext>
  );
}
