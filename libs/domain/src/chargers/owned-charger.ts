// A charger as its owner addresses it: by client, id and version.
import { AppError } from '@busbar/core';
import type { Charger, ChargerReader } from './charger';
import { chargerVersion } from './charger-listing';

/** For a change that lost every attempt to other callers or, where sockets change, to reports of the charger. */
export const CHARGER_CONTENDED = 'Others keep changing the same charger.';

export interface OwnedCharger {
  readonly clientId: string;
  readonly chargerId: string;
  /** Returns whether this version (`chargerVersion`) is the expected one. Absent: any version is. */
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

/** Checked last: errors that hold for any version come first. */
export function refuseOtherVersion(charger: Charger, { ifMatch }: Pick<OwnedCharger, 'ifMatch'>): void {
  if (ifMatch?.(chargerVersion(charger)) !== false) return;
  throw new AppError('precondition_failed', 'The charger was changed in the meantime. Read it again, then change it.');
}
