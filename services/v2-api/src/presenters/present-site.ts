import type { PlacedSite } from '@busbar/domain';

/** The site record. */
export function presentSite({ site, ancestors, numberOfChargers, numberOfSubsites }: PlacedSite) {
  const { siteId, clientId: _clientId, ...fields } = site;
  return {
    id: siteId,
    ...fields,
    parentName: ancestors.at(-1)?.name ?? null,
    sitePath: [...ancestors, site].map(({ name }) => name).join(' / '),
    numberOfChargers,
    numberOfSubsites,
  };
}
