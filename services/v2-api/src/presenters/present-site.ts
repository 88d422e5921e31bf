import type { PlacedSite } from '@busbar/domain/sites';

/** The site record. */
export function presentSite({ site, ancestors, numberOfChargers, numberOfSubsites }: PlacedSite) {
  return {
    id: site.siteId,
    name: site.name,
    publicName: site.publicName,
    externalId: site.externalId,
    parentSiteId: site.parentSiteId,
    groupType: site.groupType,
    streetAddress: site.streetAddress,
    city: site.city,
    postalCode: site.postalCode,
    country: site.country,
    latitude: site.latitude,
    longitude: site.longitude,
    timezone: site.timezone,
    isPublicSite: site.isPublicSite,
    parkingType: site.parkingType,
    tags: site.tags,
    notes: site.notes,
    createdAt: site.createdAt,
    updatedAt: site.updatedAt,
    parentName: ancestors.at(-1)?.name ?? null,
    sitePath: [...ancestors, site].map(({ name }) => name).join(' / '),
    numberOfChargers,
    numberOfSubsites,
  };
}
