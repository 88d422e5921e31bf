// What a visit needs is asked for together, before anything is drawn: drawing takes longer than the answers, and is done once.
import type { QueryClient } from '@tanstack/react-query';
import { consoleConfigQuery } from '../api/console-config';
import { readBeginning } from '../live/beginning';
import { sessionQuery } from './query-client';

const ignore = () => undefined;

/** Resolves when it is known who is signed in, or that this cannot be read. The session is then read again, and says why. */
export async function askAhead(client: QueryClient): Promise<void> {
  void client.query(consoleConfigQuery).catch(ignore);
  // Most visits begin with the fleet.
  const fleet = location.pathname === '/console/' ? import('../screens/fleet/fleet-screen') : undefined;
  const [session, screen] = await Promise.all([client.query(sessionQuery).catch(ignore), fleet?.catch(ignore)]);
  if (session?.permissions.includes('events:read') === true) readBeginning(client, session.keyId);
  if (session?.permissions.includes('chargers:read') === true) screen?.askAheadForFleet(client);
}
