// The one polite region by which changes are read aloud: at most one sentence in five seconds, the latest.
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react';

const INTERVAL_MS = 5_000;

const AnnounceContext = createContext<(sentence: string) => void>(() => undefined);

export function useAnnounce(): (sentence: string) => void {
  return useContext(AnnounceContext);
}

/** Has this read aloud when it changes; undefined: nothing. */
export function useAnnounced(sentence: string | undefined): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (sentence !== undefined) announce(sentence);
  }, [announce, sentence]);
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
        // The same sentence again is a change only where its text is another.
        const { next: due } = own;
        setSentence((before) => (before === due ? `${due}\u00a0` : due));
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
