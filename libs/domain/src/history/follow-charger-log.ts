import { AppError } from '@busbar/core';
import type { Charger, ChargerReader } from '../chargers/charger';
import { readOwnedCharger } from '../chargers/owned-charger';
import { parseLogCursor, type LogCursor } from './log-follower';

/** The charger whose log is followed, and the row to start after; undefined: from its next row. */
export interface FollowedLog {
  readonly charger: Pick<Charger, 'chargerId' | 'incarnationId'>;
  readonly cursor: LogCursor | undefined;
}

/**
 * Begins to follow a charger's log behind `after`, a cursor as text. Throws `invalid_request` for a text that is no cursor,
 * and `not_found` when the charger is unknown or another client's.
 */
export async function followChargerLog(
  deps: { readonly chargers: Pick<ChargerReader, 'findOwned'> },
  owner: { readonly clientId: string; readonly chargerId: string },
  after: string | undefined,
): Promise<FollowedLog> {
  const cursor = after === undefined ? undefined : parseLogCursor(after);
  if (after !== undefined && cursor === undefined) {
    throw new AppError(
      'invalid_request',
      'Last-Event-ID is not an id of an event of this stream. Send one that you received, or none to begin with the next row.',
    );
  }
  return { charger: await readOwnedCharger(deps, owner), cursor };
}
