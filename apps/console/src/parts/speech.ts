// What is read aloud, and when: what came of the reader's own acts at once, what changes by itself seldom.

const INTERVAL_MS = 5_000;

export interface Speech {
  /** For what changes by itself: at most one sentence in five seconds, the latest; no sooner than that after any other. */
  announce(sentence: string): void;
  /** For what came of the reader's own act: at once, before what waits. */
  respond(sentence: string): void;
  stop(): void;
}

export function createSpeech(speak: (sentence: string) => void): Speech {
  let lastAt = -Infinity;
  let waiting: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function speakNow(sentence: string | undefined): void {
    if (sentence === undefined) return;
    lastAt = performance.now();
    speak(sentence);
  }

  /** Speaks what waits when its time has come. */
  function wait(): void {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        speakNow(waiting);
        waiting = undefined;
      },
      Math.max(0, lastAt + INTERVAL_MS - performance.now()),
    );
  }

  return {
    announce(sentence) {
      const isDue = waiting === undefined;
      waiting = sentence;
      if (isDue) wait();
    },
    respond(sentence) {
      speakNow(sentence);
      if (waiting !== undefined) wait();
    },
    stop: () => clearTimeout(timer),
  };
}
