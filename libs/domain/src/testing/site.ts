import { SITE_DEFAULTS, type Site } from '../sites/site';

const AT = '2026-01-01T00:00:00.000Z';

/** A site without a parent, in its first version, with these parts. Its name follows from its id. */
export function newSite(part: Partial<Site> = {}): Site {
  const siteId = part.siteId ?? 1;
  return {
    ...SITE_DEFAULTS,
    siteId,
    clientId: 'client',
    name: `Site ${String(siteId)}`,
    createdAt: AT,
    updatedAt: AT,
    version: 1,
    ...part,
  };
}
