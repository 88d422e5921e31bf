import { withMonitors, withoutCustomMonitors, type Monitor } from './monitor';
import { NO_ITEMS } from './numbered-items';

const MONITOR: Monitor = {
  id: 1,
  name: 'EVSE@1.Power',
  component: 'EVSE',
  evseId: 1,
  variable: 'Power',
  type: 'Delta',
  value: 10,
  severity: 5,
  transaction: false,
  origin: null,
  setAt: '2026-01-01T12:00:00.000Z',
  commandId: 'c1',
  position: [1, 2],
};

it('160. keeps the command and the origin of a monitor that the charger then reports', () => {
  const set = withMonitors(NO_ITEMS, [MONITOR]);
  const reported = withMonitors(set, [
    { ...MONITOR, commandId: null, position: [1, 3] },
    { ...MONITOR, id: 2, commandId: null },
    { ...MONITOR, id: 3, commandId: null, origin: 'HardWiredMonitor' },
  ]);
  expect(reported.items.map(({ id, commandId, origin }) => [id, commandId, origin])).toEqual([
    [1, 'c1', 'CustomMonitor'],
    [2, null, null],
    [3, null, 'HardWiredMonitor'],
  ]);
});

it('160. stores at most 500 monitors', () => {
  const many = Array.from({ length: 501 }, (_, id) => ({ ...MONITOR, id }));
  expect(withMonitors(NO_ITEMS, many).items).toHaveLength(500);
});

it('160. removes custom monitors alone, and not those that a command has changed', () => {
  const reported = withMonitors(NO_ITEMS, [{ ...MONITOR, id: 2, commandId: null, origin: 'PreconfiguredMonitor' }]);
  const set = withMonitors(reported, [MONITOR, { ...MONITOR, id: 2, position: [1, 3] }]);
  expect(withoutCustomMonitors(set, [1, 4]).items.map(({ id }) => id)).toEqual([2]);
});
