// The questions to a charger of OCPP 2.x after its boot, by a clock that the test advances.
import type { Charger } from '@busbar/domain/chargers';
import type { ChargerCall, LinkOutcome } from '@busbar/domain/commands';
import { newCharger } from '@busbar/domain/testing';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { newReport } from '../../testing/report';
import { createAfterBoot } from './after-boot';

const GRACE_MS = 10_000;
const ORDER = 3;
const AT = '2026-01-01T00:00:00.000Z';
const ITEM = { configName: 'A.B', configValue: '', canBeChanged: true };
const BOOT = {
  manufacturer: '',
  model: '',
  serial: '',
  firmware: '',
  iccid: '',
  imsi: '',
  meterType: '',
  meterSerialNumber: '',
  at: AT,
  position: [1, 1] as const,
};

function open(
  reported: Partial<Charger['reported']> = {},
  answer: LinkOutcome = { outcome: 'answered', payload: { status: 'Accepted' } },
) {
  const clock = createFakeClock();
  const connection = { active: true, gatewayId: 'g', position: [ORDER, 1] as const };
  const charger = newCharger({ chargerId: 'c', connection, reported });
  const asked: ChargerCall[] = [];
  const afterBoot = createAfterBoot({
    clock,
    logger: createRecordingLogger(),
    commandTimeoutMs: 30_000,
    statusGraceMs: GRACE_MS,
    link: { call: (_to, call) => Promise.resolve((asked.push(call), answer)) },
    reports: { loadChargers: () => Promise.resolve([charger]) },
  });
  const report = newReport({ chargerId: 'c', order: ORDER, action: 'BootNotification', receivedAt: AT });
  return {
    boot: () => afterBoot.follow([{ report: { ...report, kind: 'decision' }, charger, isNew: true }]),
    connect: () => afterBoot.follow([{ report: { ...report, kind: 'connected', action: '' }, charger, isNew: true }]),
    async asked(count: number) {
      clock.advance(250);
      await eventually(() => asked.length >= Math.min(count, 1));
      // Its answer is taken.
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(GRACE_MS);
      await eventually(() => asked.length >= count);
      return asked.map(({ action, payload }) => [action, payload]);
    },
  };
}

const base = (reportBase: string) => ['GetBaseReport', { requestId: expect.any(Number) as number, reportBase }];
const [INVENTORY, CONFIGURATION] = ['FullInventory', 'ConfigurationInventory'].map(base);
const STATUSES = [1, 2].map((connectorId) => [
  'TriggerMessage',
  { requestedMessage: 'StatusNotification', evse: { id: 1, connectorId } },
]);
/** Of an earlier connection. */
const SOCKET = {
  state: 'Available',
  errorCode: '',
  info: '',
  vendorErrorCode: '',
  at: AT,
  position: [ORDER - 1, 2],
} as const;
const SOCKETS = { '1': SOCKET, '102': SOCKET };

it('150. asks for the device model after a boot; 52. and for the status of connectors that reported none', async () => {
  const world = open({ sockets: SOCKETS });
  world.boot();
  expect(await world.asked(3)).toEqual([INVENTORY, ...STATUSES]);
});

it('52. asks for no status where no connector is known', async () => {
  const world = open();
  world.boot();
  expect(await world.asked(1)).toEqual([INVENTORY]);
});

it('150. asks for the configuration where the device model of the firmware is known', async () => {
  const world = open({ boot: { ...BOOT, firmware: '1.2' }, inventoryOf: '1.2', sockets: SOCKETS });
  world.boot();
  expect(await world.asked(3)).toEqual([CONFIGURATION, ...STATUSES]);
  const updated = open({ boot: { ...BOOT, firmware: '1.3' }, inventoryOf: '1.2' });
  updated.boot();
  expect(await updated.asked(1)).toEqual([INVENTORY]);
});

it.each(['NotSupported', 'Rejected'])(
  '150. asks for the configuration of a charger that answers %s',
  async (status) => {
    const world = open({}, { outcome: 'answered', payload: { status } });
    world.boot();
    expect(await world.asked(2)).toEqual([INVENTORY, CONFIGURATION]);
  },
);

it('52. asks no charger for a status that it reported by itself', async () => {
  const world = open({ sockets: { ...SOCKETS, '1': { ...SOCKET, position: [ORDER, 2] } } });
  world.boot();
  expect(await world.asked(1)).toEqual([INVENTORY]);
});

it('150. asks no more where the charger was silent', async () => {
  const world = open({}, { outcome: 'timeout' });
  world.boot();
  expect(await world.asked(1)).toEqual([INVENTORY]);
});

it.each(['pending', 'rejected'] as const)('150. asks nothing of a charger whose boot is %s', async (status) => {
  const world = open({ boot: { ...BOOT, status } });
  world.boot();
  world.connect();
  expect(await world.asked(0)).toEqual([]);
});

it.each([
  ['asks', 'has no configuration', [], 1],
  ['does not ask', 'has its configuration', [ITEM], 0],
])('150. %s a charger that connects without a boot and %s', async (_title, _has, configuration, count) => {
  const world = open({ boot: BOOT, configuration });
  world.connect();
  expect(await world.asked(count)).toHaveLength(count);
});
