import type { QueryClient } from '@tanstack/react-query';
import { defaultParseSearch } from '@tanstack/react-router';
import { firstPageQuery } from './fleet-pages';
import { parseFleetSearch } from './fleet-search';
import { statisticsQuery } from './use-statistics';

/** Asks for what the screen shows first at this address. */
export function askAheadForFleet(client: QueryClient): void {
  const search = parseFleetSearch(defaultParseSearch(location.search));
  // The screen reads again what failed, and says why.
  void client.query(firstPageQuery(client, search)).catch(() => undefined);
  void client.query(statisticsQuery).catch(() => undefined);
}
