// The one polite region that reads aloud: what changed by itself, and what came of the reader's own acts.
import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { createSpeech, type Speech } from './speech';

const SpeechContext = createContext<Speech>(createSpeech(() => undefined));

export function useAnnounce(): (sentence: string) => void {
  return useContext(SpeechContext).announce;
}

/** Has this read aloud when it changes; undefined: nothing. */
export function useAnnounced(sentence: string | undefined): void {
  useSpoken('announce', sentence);
}

/** As `useAnnounced`, for what came of the reader's own act: at once. */
export function useResponded(sentence: string | undefined): void {
  useSpoken('respond', sentence);
}

function useSpoken(how: 'announce' | 'respond', sentence: string | undefined): void {
  const speech = useContext(SpeechContext);
  useEffect(() => {
    if (sentence !== undefined) speech[how](sentence);
  }, [speech, how, sentence]);
}

export function Announcer({ children }: { readonly children: ReactNode }) {
  const [sentence, setSentence] = useState('');
  // The same sentence again is a change only where its text is another.
  const [speech] = useState(() =>
    createSpeech((due) => setSentence((before) => (before === due ? `${due}\u00a0` : due))),
  );
  useEffect(() => speech.stop, [speech]);
  return (
    <SpeechContext value={speech}>
      {children}
      <div className="hidden-text" aria-live="polite" role="status">
        {sentence}
      </div>
    </SpeechContext>
  );
}
