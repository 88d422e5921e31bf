import { createSite, type Site } from '@busbar/domain/sites';
import { clientOf, misuse, positional, type AdminCommand } from './command';
import { table } from './table';

const MAX_LISTED = 1000;

export const siteCommands: readonly AdminCommand[] = [
  {
    name: ['site', 'list'],
    options: { client: 'ID' },
    about: `list the sites of a client by their id, at most ${String(MAX_LISTED)}`,
    async run(context, given) {
      const page = { page: 1, limit: MAX_LISTED, sortKey: 'id', sortDescending: false } as const;
      const { items } = await context.records.sites.list(await clientOf(context, given), {}, page);
      const columns = [
        { header: 'ID', value: ({ siteId }: Site) => String(siteId) },
        { header: 'NAME', value: ({ name }: Site) => name },
        { header: 'CITY', value: ({ city }: Site) => city ?? '' },
        { header: 'PARENT', value: ({ parentSiteId }: Site) => String(parentSiteId ?? '') },
        { header: 'EXTERNAL ID', value: ({ externalId }: Site) => externalId ?? '' },
      ];
      return { lines: table(columns, items), data: items.map(dataOf) };
    },
  },
  {
    name: ['site', 'create'],
    positionals: ['NAME'],
    options: { client: 'ID', parent: 'SITE_ID', city: 'TEXT', 'external-id': 'TEXT' },
    about: 'create a site, the place of chargers',
    async run(context, given) {
      const { parent, city, 'external-id': externalId } = given.options;
      const clientId = await clientOf(context, given);
      const input = { name: positional(given, 0), city, externalId, parentSiteId: siteIdOf(parent, '--parent') };
      const site = await createSite({ sites: context.records.sites, clock: context.clock }, clientId, input);
      return { lines: [`created site ${String(site.siteId)}`], data: dataOf(site) };
    },
  },
];

function dataOf({ siteId, name, city, parentSiteId, externalId }: Site) {
  return { id: siteId, name, city, parentSiteId, externalId };
}

/** Undefined where none was given. */
export function siteIdOf(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw misuse(`${option} is the number of a site ("site list" shows them), not ${text}.`);
}
