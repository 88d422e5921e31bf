// Which rows of a long list are in sight, where the whole page scrolls and all rows are equally high: a division. A library that allows for rows
// of different heights measures each of 100,000 before the first is drawn.
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';

interface RowsInSight {
  /** The distance of the list from the top of the page in pixels. Undefined until the list was laid out. */
  readonly top: number | undefined;
  /** The indices of the rows in sight and a few beyond them, in order. */
  readonly indices: readonly number[];
}

interface Sight {
  readonly top: number | undefined;
  readonly first: number;
  readonly last: number;
}

/** Rows beyond those in sight, on each side. */
const BEYOND = 4;

/** `list`: the element around the rows. `height`: of each row, in pixels. */
export function useRowsInSight(
  list: RefObject<HTMLElement | null>,
  { count, height }: { readonly count: number; readonly height: number },
): RowsInSight {
  const known = useRef<number>(undefined);
  const [{ top, first, last }, setSight] = useState(() => sightOf(undefined, height));
  useLayoutEffect(() => {
    // In the same frame: the rows are there when it is painted.
    const look = () => flushSync(() => setSight((before) => unlessEqual(before, sightOf(known.current, height))));
    // What stands above may grow: a failure, a bar. It also reports the first layout.
    const observer = new ResizeObserver(() => {
      const element = list.current;
      if (element === null) return;
      known.current = element.getBoundingClientRect().top + window.scrollY;
      look();
    });
    observer.observe(document.body);
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
    };
  }, [list, height]);
  const from = Math.min(first, Math.max(0, count - 1));
  const length = Math.max(0, Math.min(last, count - 1) - from + 1);
  return { top, indices: Array.from({ length }, (_, n) => from + n) };
}

function sightOf(top: number | undefined, height: number): Sight {
  const above = window.scrollY - (top ?? 0);
  return {
    top,
    first: Math.max(0, Math.floor(above / height) - BEYOND),
    last: Math.max(0, Math.ceil((above + window.innerHeight) / height) - 1 + BEYOND),
  };
}

function unlessEqual(before: Sight, now: Sight): Sight {
  return before.top === now.top && before.first === now.first && before.last === now.last ? before : now;
}
