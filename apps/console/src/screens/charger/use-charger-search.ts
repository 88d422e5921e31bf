// The address of a charger's screen: what it shows now, and how to change that without a step in the history.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ChargerSearch } from './charger-search';

export function useChargerSearch() {
  const search = useSearch({ from: '/chargers/$chargerId' });
  const navigate = useNavigate({ from: '/chargers/$chargerId' });
  const change = useCallback(
    (part: Partial<ChargerSearch>) => {
      void navigate({
        search: (before) => ({ ...before, ...part }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate],
  );
  /** Another tab, which one can go back from. */
  const open = useCallback((tab: ChargerSearch) => void navigate({ search: tab, resetScroll: false }), [navigate]);
  return { search, change, open };
}
