import { useEffect, useReducer, useRef } from 'react';

/** So many rows are laid out and painted within a frame of a slow computer. */
const EACH_FRAME = 4;

/**
 * Which of these may be drawn now: those that are, and of the others a few more each frame, in their order. So a jump in a long list keeps no frame
 * waiting for all its rows.
 */
export function useFewAtATime<Key>(keys: readonly Key[]): ReadonlySet<Key> {
  /** By the frame before, and by the last commit. */
  const [before, shown] = [useRef<ReadonlySet<Key>>(new Set()), useRef<ReadonlySet<Key>>(new Set())];
  const drawMore = useReducer((count: number) => count + 1, 0)[1];
  let more = EACH_FRAME - keys.filter((key) => shown.current.has(key) && !before.current.has(key)).length;
  const now = new Set(keys.filter((key) => shown.current.has(key) || more-- > 0));
  const isLess = now.size < keys.length;
  useEffect(() => {
    shown.current = now;
    // Not at each commit: several within a frame would each draw a few more.
    const frame = requestAnimationFrame(() => {
      before.current = now;
      if (isLess) drawMore();
    });
    return () => cancelAnimationFrame(frame);
  });
  return now;
}
