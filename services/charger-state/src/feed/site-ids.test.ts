import type { Site } from '@busbar/domain/sites';
import { newCharger } from '@busbar/domain/testing';
import { createFakeClock } from '@busbar/testing';
import { createSiteIds } from './site-ids';

const at = (siteId: number) => newCharger({ chargerId: `A${String(siteId)}`, clientId: 'c', registered: { siteId } });

function setUp(externalIds: Record<number, string | null>) {
  const clock = createFakeClock(new Date('2026-01-01T12:00:00.000Z'));
  const asked: (readonly number[])[] = [];
  const findMany = (_clientId: string, siteIds: readonly number[]): Promise<Site[]> => {
    asked.push(siteIds);
    const found = siteIds.filter((siteId) => siteId in externalIds);
    return Promise.resolve(found.map((siteId) => ({ siteId, externalId: externalIds[siteId] }) as unknown as Site));
  };
  return { siteIds: createSiteIds({ sites: { findMany }, clock }), asked, clock };
}

it('reads each site once a minute, whatever the number of its chargers', async () => {
  const { siteIds, asked, clock } = setUp({ 1: 'depot', 2: null });
  await siteIds.read([at(1), at(1), at(2), at(3)]);
  expect(asked).toEqual([[1, 2, 3]]);
  expect([1, 2, 3].map((siteId) => siteIds.externalId(at(siteId)))).toEqual(['depot', null, null]);
  expect(siteIds.read([at(1), at(3)])).toBeUndefined();
  clock.advance(60_001);
  await siteIds.read([at(1)]);
  expect(asked.slice(1)).toEqual([[1]]);
});
