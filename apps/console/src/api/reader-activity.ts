// Whether somebody uses the page. A page that is only open asks the service again and again; that must not keep its session open
// (docs/security.md, the end of a session).

/**
 * What a reader does; assistive technology may click without a pointer, and dictation types without a key. Moving the pointer is none: a page that moves below a pointer
 * at rest would count.
 */
const ACTS = ['keydown', 'input', 'pointerdown', 'touchmove', 'wheel', 'click'] as const;
/** An act counts so long: longer than the page waits between two checks of its session, one of which then reports it. */
const COUNTS_MS = 10_000;

export interface ReaderActivity {
  /** Notes that the reader did something. */
  acted(): void;
  /** Returns whether the reader did nothing of late. */
  isIdle(): boolean;
}

/** Opening the page is an act. `now`: milliseconds of any clock that only advances. */
export function createReaderActivity(now: () => number): ReaderActivity {
  let lastActAt = now();
  return {
    acted() {
      lastActAt = now();
    },
    isIdle: () => now() - lastActAt > COUNTS_MS,
  };
}

const reader = createReaderActivity(() => performance.now());

/** Begins to notice what the reader of this page does. */
export function watchReader(): void {
  for (const act of ACTS) window.addEventListener(act, () => reader.acted(), { capture: true, passive: true });
}

/** The header, name and value, of a request that the page sends by itself; undefined where its reader may have caused it. */
export function idleHeader(): readonly [name: string, value: string] | undefined {
  return reader.isIdle() ? ['x-busbar-idle', '1'] : undefined;
}
