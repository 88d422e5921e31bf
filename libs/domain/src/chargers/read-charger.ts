import type { Charger, ChargerReader } from './charger';
import type { SiteReader } from '../sites/site';
import { readOwnedCharger } from './owned-charger';

/** A charger and the name of its site. */
export interface LocatedCharger {
  readonly charger: Charger;
  readonly siteName: string;
}

/** Throws `not_found` when there is no such charger or it is another client's. */
export async function readCharger(
  deps: { readonly chargers: Pick<ChargerReader, 'findOwned'>; readonly sites: Pick<SiteReader, 'find'> },
  clientId: string,
  chargerId: string,
): Promise<LocatedCharger> {
  return locateCharger(deps, await readOwnedCharger(deps, { clientId, chargerId }));
}

/** The name of a deleted site is ''. */
export async function locateCharger(
  { sites }: { readonly sites: Pick<SiteReader, 'find'> },
  charger: Charger,
): Promise<LocatedCharger> {
  const site = await sites.find(charger.clientId, charger.registered.siteId);
  return { charger, siteName: site?.name ?? '' };
}
