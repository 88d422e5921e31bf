// Where the cache has chargers, for all that change them.
import type { QueryClient } from '@tanstack/react-query';

/** The pages of the list of chargers, of every filter and order. */
export const CHARGER_PAGES = ['chargers', 'pages'] as const;

/** One charger. */
export function chargerKey(chargerId: string) {
  return ['charger', chargerId] as const;
}

/** Reads the list of chargers anew. */
export function reloadPages(client: QueryClient): void {
  void client.resetQueries({ queryKey: CHARGER_PAGES });
}
