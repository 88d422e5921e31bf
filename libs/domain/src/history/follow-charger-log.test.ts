import { newCharger } from '../testing/charger';
import { storedChargers } from '../testing/stored-chargers';
import { followChargerLog } from './follow-charger-log';

const CHARGER = newCharger();
const OWNER = { clientId: 'client', chargerId: 'ACME_1' };
const ID = '01K0Z3V5M8Q2T7W9XBCDEFGHJK';
const deps = () => ({ chargers: storedChargers(CHARGER) });

describe('the log of a charger', () => {
  it.each([
    ['from its next row', undefined, undefined],
    ['behind a row', `${ID}.0`, { newest: ID, count: 0 }],
    ['behind a row and those before it', `${ID}.120`, { newest: ID, count: 120 }],
  ])('is followed %s', async (_title, after, cursor) => {
    expect(await followChargerLog(deps(), OWNER, after)).toEqual({ charger: CHARGER, cursor });
  });

  it.each([[''], ['x'], [ID], [`${ID}.`], [`${ID}.12345`], [`${ID}.-1`], [`${ID}.1.2`], [`${ID} .1`]])(
    'is not followed behind %j',
    async (after) => {
      const error = { code: 'invalid_request', message: expect.stringMatching(/^Last-Event-ID /) as string };
      await expect(followChargerLog(deps(), OWNER, after)).rejects.toMatchObject(error);
    },
  );

  it.each([
    ['an unknown charger', { ...OWNER, chargerId: 'ACME_2' }, undefined, 'not_found'],
    ["another client's charger", { ...OWNER, clientId: 'other' }, `${ID}.1`, 'not_found'],
    ['an unknown charger behind a text that is no cursor', { ...OWNER, chargerId: 'ACME_2' }, 'x', 'invalid_request'],
  ])('is not followed for %s', async (_title, owner, after, code) => {
    await expect(followChargerLog(deps(), owner, after)).rejects.toMatchObject({ code });
  });
});
