// A charger as its owner names it: found among the client's own, and in the version that is meant.
import { AppError } from '@busbar/core';
import type { Charger, ChargerReader } from './charger';
import { chargerVersion } from './charger-listing';

/** Of a change of a charger that lost every round: to another caller or, where sockets change, to what the charger reported. */
export const CHARGER_CONTENDED = 'Others keep changing the same charger.';

export interface OwnedCharger {
  readonly clientId: string;
  readonly chargerId: string;
  /** Whether the caller means the charger in that version (`chargerVersion`); absent: whatever it is. */
  readonly ifMatch?: ((version: string) => boolean) | undefined;
}

/** Throws `not_found` when there is no such charger or it is another client's. */
export async function readOwnedCharger(
  { chargers }: { readonly chargers: Pick<ChargerReader, 'findOwned'> },
  { clientId, chargerId }: Pick<OwnedCharger, 'clientId' | 'chargerId'>,
): Promise<Charger> {
  const charger = await chargers.findOwned(clientId, chargerId);
  if (charger === undefined) throw new AppError('not_found', `There is no charger ${chargerId}.`);
  return charger;
}

/** Asked last: what would be refused of any version is told first. The write is of this very version. */
export function refuseOtherVersion(charger: Charger, { ifMatch }: Pick<OwnedCharger, 'ifMatch'>): void {
  if (ifMatch?.(chargerVersion(charger)) !== false) return;
  throw new AppError('precondition_failed', 'The charger was changed in the meantime. Read it again, then change it.');
}
