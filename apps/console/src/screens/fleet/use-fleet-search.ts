import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { FleetSearch } from './fleet-search';

/** The filters, order and page of the address, and how to change them. A changed filter begins at the first page. */
export function useFleetSearch(): readonly [FleetSearch, (change: Partial<FleetSearch>) => void] {
  const search = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const change = useCallback(
    (part: Partial<FleetSearch>) => {
      void navigate({
        to: '/',
        search: (before) => ({ ...before, page: undefined, ...part }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return [search, change];
}
