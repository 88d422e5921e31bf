import type { ChargerOwners } from '../charger-listing';
import type { ConnectionAttempt, ConnectionAttemptLimits, ConnectionAttemptWriter } from './connection-attempt';

/** Strangers can invent ids, so attempts of unregistered chargers share one limit. */
export const CONNECTION_ATTEMPT_LIMITS: ConnectionAttemptLimits = { perCharger: 100, unknown: 1_000 };

export interface RecordAttemptsDeps {
  readonly chargers: ChargerOwners;
  readonly attempts: ConnectionAttemptWriter;
}

/** Stores a gateway's rejected attempts, each with the client that owns the charger now. */
export async function recordConnectionAttempts(
  { chargers, attempts }: RecordAttemptsDeps,
  reported: readonly Omit<ConnectionAttempt, 'clientId'>[],
): Promise<void> {
  const chargerIds = reported.flatMap(({ chargerId }) => (chargerId === null ? [] : [chargerId]));
  const owners = await chargers.ownersOf([...new Set(chargerIds)]);
  const owned = reported.map((each) => ({ ...each, clientId: owners.get(each.chargerId ?? '') ?? null }));
  await attempts.insert(owned, CONNECTION_ATTEMPT_LIMITS);
}
