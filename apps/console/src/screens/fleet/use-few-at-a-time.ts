import { useEffect, useReducer, useRef } from 'react';

/** So many rows are laid out and painted within a frame of a slow computer. */
const EACH_FRAME = 4;

/**
 * Which of these may be drawn now: those that are, and of the others a few more each frame, in their order. So a jump in a long list keeps no frame
 * waiting for all its rows.
 */
export function useFewAtATime<Key>(keys: readonly Key[]): ReadonlySet<Key> {
  const drawn = useRef<ReadonlySet<Key>>(new Set());
  const drawMore = useReducer((count: number) => count + 1, 0)[1];
  let others = EACH_FRAME;
  const now = new Set(keys.filter((key) => drawn.current.has(key) || others-- > 0));
  const isLess = now.size < keys.length;
  useEffect(() => {
    if (!isLess) {
      drawn.current = now;
      return undefined;
    }
    // Only here: the list may be drawn several times until the frame.
    const frame = requestAnimationFrame(() => {
      drawn.current = now;
      drawMore();
    });
    return () => cancelAnimationFrame(frame);
  });
  return now;
}
