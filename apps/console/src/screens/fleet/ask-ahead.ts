import type { QueryClient } from '@tanstack/react-query';
import { defaultParseSearch } from '@tanstack/react-router';
import { firstPageQuery } from './fleet-pages';
import { parseFleetSearch } from './fleet-search';
import { statisticsQuery } from './use-statistics';

const ignore = () => undefined;

/** Asks for what the screen shows first at this address. Resolves when the list is there, or cannot be read. */
export async function askAheadForFleet(client: QueryClient): Promise<void> {
  const search = parseFleetSearch(defaultParseSearch(location.search));
  // The screen reads again what failed, and says why.
  void client.query(statisticsQuery).catch(ignore);
  await client.query(firstPageQuery(client, search)).catch(ignore);
}
