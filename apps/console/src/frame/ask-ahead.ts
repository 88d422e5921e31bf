// What a visit needs is asked for together, before anything is drawn: drawing takes longer than the answers, and is done once.
import type { QueryClient } from '@tanstack/react-query';
import { consoleConfigQuery } from '../api/console-config';
import { readBeginning } from '../live/beginning';
import { askAheadForFleet } from '../screens/fleet/ask-ahead';
import { sessionQuery } from './query-client';

/** A page without its list is drawn after that time. */
const MAX_WAIT_MS = 300;

const ignore = () => undefined;

/**
 * Resolves when it is known who is signed in, or that this cannot be read: the session is then read again, and says why. At the fleet also when its
 * list is there, which is not waited for long.
 */
export async function askAhead(client: QueryClient): Promise<void> {
  void client.query(consoleConfigQuery).catch(ignore);
  const session = await client.query(sessionQuery).catch(ignore);
  if (session == null) return;
  if (session.permissions.includes('events:read')) readBeginning(client, session.keyId);
  // Most visits begin with the fleet.
  if (location.pathname !== '/console/' || !session.permissions.includes('chargers:read')) return;
  await Promise.race([askAheadForFleet(client), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
}
