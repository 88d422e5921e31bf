// The links of the rows: plain ones, and one listener at the list for all of them. A link of the router follows the router and
// has six listeners of its own, in each row.
import { useRouter } from '@tanstack/react-router';
import { useCallback, useRef, type MouseEvent } from 'react';

/** The address of a charger's page, for a row. */
export function chargerHref(chargerId: string): string {
  return `/console/chargers/${encodeURIComponent(chargerId)}`;
}

/** Listeners of the element around the rows: a click opens the charger in this page, and its screen is loaded when a row is first pointed at. */
export function useRowLinks() {
  const router = useRouter();
  const isPreloaded = useRef(false);
  const onClick = useCallback(
    (event: MouseEvent) => {
      const chargerId = linkedCharger(event.target);
      if (chargerId === undefined || !isPlain(event)) return;
      event.preventDefault();
      void router.navigate({ to: '/chargers/$chargerId', params: { chargerId } });
    },
    [router],
  );
  const preload = useCallback(
    ({ target }: { readonly target: EventTarget }) => {
      const chargerId = linkedCharger(target);
      if (chargerId === undefined || isPreloaded.current) return;
      isPreloaded.current = true;
      void router.preloadRoute({ to: '/chargers/$chargerId', params: { chargerId } });
    },
    [router],
  );
  return { onClick, onPointerOver: preload, onFocus: preload };
}

function linkedCharger(target: EventTarget): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest('.row-link')?.closest<HTMLElement>('[data-charger]')?.dataset['charger'];
}

/** Another button or a key with it opens another tab or window: that is the browser's. */
function isPlain({ button, metaKey, altKey, ctrlKey, shiftKey, defaultPrevented }: MouseEvent): boolean {
  return button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey && !defaultPrevented;
}
