import { newCharger } from '../testing/charger';
import { deviceTransactionOf } from './device-transaction';

const ongoing = (socketId: number, transactionId: number, id?: string) => ({
  socketId,
  transactionId,
  sessionId: `s${String(transactionId)}`,
  idTag: 'T',
  startTime: '2026-01-01T00:00:00.000Z',
  position: [1, 1] as const,
  ...(id === undefined ? {} : { device: { id, chargingState: null, wasEnergized: false } }),
});
const CHARGER = newCharger({
  connection: { ...newCharger().connection, ocppVersion: 'ocpp2.1' },
  reported: { ongoing: { '1': ongoing(1, 7, 'T-7'), '2': ongoing(2, 8, 'T-8'), '3': ongoing(3, 9) } },
});

const nowhere = () => false;

it.each([
  ['its socket', [2], undefined, 'T-8'],
  ['sockets of its EVSE', [102, 2], undefined, 'T-8'],
  ['our id', [2], 7, 'T-7'],
  ['the socket of a transaction of OCPP 1.6: none', [3], undefined, undefined],
  ['the charger as a whole: none', [], undefined, undefined],
])("finds the charger's id of a transaction by %s", async (_title, sockets, transactionId, deviceTransactionId) => {
  const isAt = (socketId: number) => sockets.includes(socketId);
  expect(await deviceTransactionOf({ transactionId, isAt })(CHARGER)).toEqual({ deviceTransactionId });
});

it.each([
  ['not_found', 5],
  ['not_supported_by_version', 9],
])('129. refuses with %s an id of ours that the charger cannot be sent', async (code, transactionId) => {
  await expect((async () => deviceTransactionOf({ transactionId, isAt: nowhere })(CHARGER))()).rejects.toMatchObject({
    code,
  });
});

it('sends a charger of OCPP 1.6 any id of ours', async () => {
  const charger = { ...CHARGER, connection: { ...CHARGER.connection, ocppVersion: 'ocpp1.6' as const } };
  expect(await deviceTransactionOf({ transactionId: 5, isAt: nowhere })(charger)).toEqual({
    deviceTransactionId: undefined,
  });
});
