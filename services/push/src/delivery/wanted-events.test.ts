import { EVENT_TYPES, exampleEvent, type EventName } from '@busbar/contracts';
import { newSite, newWebhook, storedSites } from '@busbar/domain/testing';
import type { Webhook } from '@busbar/domain/webhooks';
import { wantedEvents } from './wanted-events';

const NAMES = Object.keys(EVENT_TYPES) as EventName[];
/** The site of the example events. */
const SITE = 12;

async function wanted(over: Partial<Webhook>): Promise<readonly EventName[]> {
  const sites = storedSites(newSite({ siteId: 11 }), newSite({ siteId: SITE, parentSiteId: 11 }));
  const wants = await wantedEvents(sites, newWebhook({ clientId: 'client', ...over }));
  return NAMES.filter((name) => wants(exampleEvent(name)));
}

it('wants the events whose types match the patterns in the standard format', async () => {
  expect(await wanted({ types: ['session.*', 'meter.values'] })).toEqual([
    'session.started',
    'session.ended',
    'meter.values',
  ]);
  const all = NAMES.filter((name) => !['socket.state_reported', 'meter.values'].includes(name));
  expect(await wanted({ types: ['*'] })).toEqual(all);
});

it('wants the events that can make a message in the push formats', async () => {
  expect(await wanted({ format: 'push-v2', types: ['ChargerBoot', 'Measurements'] })).toEqual([
    'charger.booted',
    'meter.values',
  ]);
});

it.each<[string, Partial<Webhook>, number]>([
  ['of the named charger', { chargerIds: ['ACME-17'] }, 1],
  ['not of another charger', { chargerIds: ['ACME-18'] }, 0],
  ['of the named site', { siteIds: [SITE] }, 1],
  ['not of a site below the named one', { siteIds: [11] }, 0],
  ['of a site below the named one where it includes them', { siteIds: [11], includeSubsites: true }, 1],
])('wants events %s', async (_name, over, count) => {
  expect(await wanted({ types: ['charger.booted'], ...over })).toHaveLength(count);
});
