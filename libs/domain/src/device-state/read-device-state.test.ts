import { newCharger } from '../testing/charger';
import { storedChargers } from '../testing/stored-chargers';
import type { ChargerEvent } from '../history/history';
import type { TransferKind } from '../commands/transfer';
import { deviceStateOf } from './device-state';
import { readDeviceState, readTransfers } from './read-device-state';

const AT = '2026-01-01T00:00:00.000Z';
const CHARGER = newCharger();
const STATE = deviceStateOf(CHARGER, undefined);

function event(action: string, status: string): ChargerEvent {
  const { chargerId, incarnationId, clientId } = CHARGER;
  return { rowId: action, chargerId, incarnationId, clientId, action, receivedAt: AT, payload: { status } };
}

function open(...events: readonly ChargerEvent[]) {
  const read = jest.fn(() => Promise.resolve(STATE));
  const readEvents = jest.fn<Promise<ChargerEvent[]>, unknown[]>(() => Promise.resolve([...events]));
  const deps = { chargers: storedChargers(CHARGER), deviceStates: { read }, history: { events: readEvents } };
  return { deps, read, readEvents };
}

it("reads the device state of its client's charger", async () => {
  const { deps, read } = open();
  expect(await readDeviceState(deps, 'client', 'ACME_1')).toEqual({ charger: CHARGER, deviceStates: STATE });
  expect(read.mock.calls).toEqual([[CHARGER]]);
});

describe('the uploads and downloads of a charger', () => {
  it.each<[readonly TransferKind[], string[]]>([
    [['firmware'], ['firmware.requested', 'firmware.progressed']],
    [
      ['diagnostics', 'log'],
      ['diagnostics.requested', 'diagnostics.progressed', 'log.requested', 'log.progressed'],
    ],
  ])('of the kinds %j are its last hundred requests and reports of progress', async (kinds, actions) => {
    const { deps, readEvents } = open();
    await readTransfers(deps, { clientId: 'client', chargerId: 'ACME_1' }, kinds);
    expect(readEvents.mock.calls).toEqual([[CHARGER, actions, 100]]);
  });

  it('are in the order of the history, without other events', async () => {
    const { deps } = open(event('log.progressed', 'Uploading'), event('other', ''), event('log.requested', 'Accepted'));
    const { charger, steps } = await readTransfers(deps, { clientId: 'client', chargerId: 'ACME_1' }, ['log']);
    expect(charger).toBe(CHARGER);
    expect(steps).toMatchObject([
      { kind: 'log', at: AT, progress: { status: 'Uploading' } },
      { kind: 'log', at: AT, request: { status: 'Accepted' } },
    ]);
  });
});

it.each([
  ['an unknown charger', { clientId: 'client', chargerId: 'ACME_2' }],
  ["another client's charger", { clientId: 'other', chargerId: 'ACME_1' }],
])('reads nothing of %s', async (_title, owner) => {
  const { deps, read, readEvents } = open();
  const error = { code: 'not_found' };
  await expect(readDeviceState(deps, owner.clientId, owner.chargerId)).rejects.toMatchObject(error);
  await expect(readTransfers(deps, owner, ['log'])).rejects.toMatchObject(error);
  expect([read.mock.calls, readEvents.mock.calls]).toEqual([[], []]);
});
