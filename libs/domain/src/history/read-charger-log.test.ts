import { createId } from '@busbar/core';
import { newCharger } from '../testing/charger';
import { storedChargers } from '../testing/stored-chargers';
import type { LogFilter } from './history';
import { readChargerLog } from './read-charger-log';

const PAGE = { page: 1, limit: 10, sortKey: 'recorded', sortDescending: true } as const;
const OWNER = { clientId: 'client', chargerId: 'ACME_1' };
const FOUND = { items: [], total: 0 };

function open() {
  const logPage = jest.fn(() => Promise.resolve(FOUND));
  const chargers = storedChargers(newCharger({ incarnationId: 'second' }));
  return { logPage, deps: { chargers, history: { logPage } } };
}

describe("a page of a charger's log", () => {
  it.each<[string, LogFilter, boolean]>([
    ['has no Heartbeats', { includeHeartbeats: false }, false],
    ['has Heartbeats where they are wanted', { includeHeartbeats: true }, true],
    ['has none where other actions are named', { includeHeartbeats: false, actions: ['Reset'] }, false],
    ['has Heartbeats where they are named', { includeHeartbeats: false, actions: ['Reset', 'Heartbeat'] }, true],
    ['keeps the other filters', { includeHeartbeats: false, from: '2026-01-01T00:00:00.000Z', search: 'x' }, false],
  ])('is of its present incarnation, and %s', async (_title, filter, includeHeartbeats) => {
    const { deps, logPage } = open();
    expect(await readChargerLog(deps, OWNER, filter, PAGE)).toBe(FOUND);
    expect(logPage.mock.calls).toEqual([['second', { ...filter, includeHeartbeats }, PAGE]]);
  });

  const AT_NOON = createId(Date.parse('2026-01-31T12:00:00.000Z'));
  const BEGAN = '2026-01-31T11:59:00.000Z';
  const ENDED = '2026-01-31T13:00:00.000Z';
  it.each<[string, Pick<LogFilter, 'from' | 'to'>, Pick<LogFilter, 'from' | 'to'>]>([
    [AT_NOON, {}, { from: BEGAN, to: ENDED }],
    [AT_NOON, { from: '2026-01-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' }, { from: BEGAN, to: ENDED }],
    [
      AT_NOON,
      { from: '2026-01-31T12:00:01.000Z', to: '2026-01-31T12:00:02.000Z' },
      { from: '2026-01-31T12:00:01.000Z', to: '2026-01-31T12:00:02.000Z' },
    ],
    ['no-id', {}, {}],
  ])('for the command %s and %j is searched in %j', async (commandId, span, expected) => {
    const { deps, logPage } = open();
    await readChargerLog(deps, OWNER, { includeHeartbeats: true, commandId, ...span }, PAGE);
    expect(logPage.mock.calls).toEqual([['second', { includeHeartbeats: true, commandId, ...expected }, PAGE]]);
  });

  it.each([
    ['an unknown charger', { ...OWNER, chargerId: 'ACME_2' }],
    ["another client's charger", { ...OWNER, clientId: 'other' }],
  ])('is not read for %s', async (_title, owner) => {
    const { deps, logPage } = open();
    await expect(readChargerLog(deps, owner, { includeHeartbeats: true }, PAGE)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(logPage).not.toHaveBeenCalled();
  });
});
