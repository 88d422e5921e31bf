import type { Charger, ReportedStatus, SocketAvailability } from '@busbar/domain/chargers';
import { handle, RECEIVED_AT, secondsBefore, sessionWith, type Situation } from '../../testing/handler-situation';
import { ongoingOf } from './meter-values';
import { statusNotification } from './status-notification';

const notify = (fields: object, situation: Situation = {}) =>
  handle(statusNotification, { connectorId: 1, status: 'Available', errorCode: 'NoError', ...fields }, situation);
const stored = (part: Partial<ReportedStatus> = {}): ReportedStatus => ({
  state: 'Charging',
  errorCode: '',
  info: '',
  vendorErrorCode: '',
  at: secondsBefore(60),
  position: [1, 1],
  ...part,
});
const socket = (part: Partial<ReportedStatus> = {}): Partial<Charger['reported']> => ({
  sockets: { '1': stored(part) },
});
const session = (part: Parameters<typeof sessionWith>[0] = {}, more: Partial<Charger['reported']> = {}) => ({
  ...more,
  ongoing: { '1': ongoingOf(sessionWith(part), [1, 2]) },
});

const YEARS_BACK = { timestamp: '2021-01-01T00:00:00Z' };

describe('statusNotification', () => {
  it.each([
    ['Available', 'Available'],
    ['Charging', 'Charging'],
    ['SuspendedEV', 'SuspendedCAR'],
    ['SuspendedEVSE', 'SuspendedCHARGER'],
    ['Faulted', 'Error'],
  ])('50. creates a socket that is %s', (status, state) => {
    const { charger, rows } = notify({ status });
    expect(charger.reported.sockets['1']).toMatchObject({ state, errorCode: '', at: RECEIVED_AT, position: [1, 5] });
    expect(rows.stateChanges).toMatchObject([{ socketId: 1, state, siteId: 1, at: RECEIVED_AT }]);
  });

  it('shows a status that is no status of OCPP 1.6 as Info, with the word as its error code', () => {
    expect(notify({ status: 'Dreaming' }).charger.reported.sockets['1']).toMatchObject({
      state: 'Info',
      errorCode: 'Dreaming',
    });
  });

  it('stores the error, the info and the vendor error', () => {
    const fields = { errorCode: 'GroundFailure', info: 'i', vendorErrorCode: 'v' };
    expect(notify(fields).charger.reported.sockets['1']).toMatchObject(fields);
  });

  it('50. stores connector 0 as the charger’s own status', () => {
    const { charger } = notify({ connectorId: 0, status: 'Unavailable' });
    expect(charger.reported.status).toMatchObject({ state: 'Unavailable' });
    expect(charger.reported.sockets).toEqual({});
  });

  it.each([-1, 10_000])('stores a status of connector %d in the history only', (connectorId) => {
    const { charger, before, rows, deviations } = notify({ connectorId });
    expect(charger).toBe(before);
    expect(rows.stateChanges).toHaveLength(1);
    expect(deviations).toEqual(['surplus_connector']);
  });

  it('50. creates sockets with gaps between their numbers, up to 1000', () => {
    const { charger } = notify({ connectorId: 1000 }, { reported: socket() });
    expect(Object.keys(charger.reported.sockets)).toEqual(['1', '1000']);
  });

  it('stores 256 sockets at most, and their later statuses', () => {
    const sockets = Object.fromEntries(Array.from({ length: 256 }, (_, n) => [String(n + 1), stored()]));
    const surplus = notify({ connectorId: 257 }, { reported: { sockets } });
    expect(surplus.charger).toBe(surplus.before);
    expect(surplus.deviations).toEqual(['surplus_connector']);
    const known = notify({ connectorId: 256 }, { reported: { sockets } });
    expect(known.charger.reported.sockets['256']).toMatchObject({ state: 'Available' });
  });

  it.each([
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02T03:04:05.123Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05.1234567Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02T03:04:05+02:00', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05+02', '2026-01-02T01:04:05.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
  ])('42. stores %s as the timestamp %s', (timestamp, at) => {
    const { charger, rows } = notify({ timestamp });
    expect(charger.reported.sockets['1']).toMatchObject({ at, ownAt: at });
    expect(rows.stateChanges).toMatchObject([{ at }]);
  });

  it('gives the same row id to a status sent again with its timestamp, and another without one', () => {
    const idOf = (id: string, fields: object) => notify(fields, { report: { id } }).rows.stateChanges[0]?.rowId;
    const timed = { timestamp: secondsBefore(5) };
    expect(idOf('again', timed)).toBe(idOf('first', timed));
    expect(idOf('again', timed)).not.toBe(idOf('first', { timestamp: secondsBefore(6) }));
    expect(idOf('again', {})).not.toBe(idOf('first', {}));
  });

  it.each<[string, object, Situation, boolean]>([
    ['a later one', {}, { reported: socket() }, true],
    ['one of an older connection', {}, { reported: socket({ position: [2, 1] }) }, false],
    [
      'one with an earlier timestamp',
      { timestamp: secondsBefore(90) },
      { reported: socket({ ownAt: secondsBefore(60) }) },
      false,
    ],
    [
      'one with a later timestamp',
      { timestamp: secondsBefore(30) },
      { reported: socket({ ownAt: secondsBefore(60) }) },
      true,
    ],
    [
      'one whose timestamp is a little before the receipt of the stored one',
      { timestamp: secondsBefore(120) },
      { reported: socket() },
      true,
    ],
    [
      'one whose timestamp is long before the receipt of the stored one',
      { timestamp: secondsBefore(240) },
      { reported: socket() },
      false,
    ],
    [
      'one with an earlier timestamp after a boot',
      { timestamp: secondsBefore(90) },
      { reported: { ...socket({ ownAt: secondsBefore(60) }), ...boot([1, 3]) } },
      true,
    ],
    [
      'one whose timestamp is after the receipt of the stored one',
      { timestamp: secondsBefore(30) },
      { reported: socket() },
      true,
    ],
    [
      'a later one by the clock that a boot has set back',
      { timestamp: '2021-01-01T00:00:10Z' },
      { reported: { ...socket({ ownAt: '2021-01-01T00:00:00.000Z', position: [1, 4] }), ...boot([1, 3]) } },
      true,
    ],
    [
      'an earlier one by the clock that a boot has set back',
      { timestamp: '2021-01-01T00:00:05Z' },
      { reported: { ...socket({ ownAt: '2021-01-01T00:00:10.000Z', position: [1, 4] }), ...boot([1, 3]) } },
      false,
    ],
    ['one without a timestamp', {}, { reported: socket({ ownAt: secondsBefore(-30) }) }, true],
  ])('51. takes or ignores %s', (_, fields, situation, isTaken) => {
    const { charger, rows } = notify(fields, situation);
    expect(charger.reported.sockets['1']?.state).toBe(isTaken ? 'Available' : 'Charging');
    expect(rows.stateChanges).toHaveLength(1);
  });

  it.each([
    ['before 2020', '2019-12-31T23:59:59Z'],
    ['more than a minute ahead', secondsBefore(-61)],
  ])('51. replaces a timestamp %s by the time of receipt', (_, timestamp) => {
    const { charger, rows, deviations } = notify({ timestamp });
    expect(charger.reported.sockets['1']).toMatchObject({ at: RECEIVED_AT });
    expect(charger.reported.sockets['1']).not.toHaveProperty('ownAt');
    expect(rows.stateChanges).toMatchObject([{ at: RECEIVED_AT }]);
    expect(deviations).toEqual(['clock_off']);
  });

  it('51. never sets the time of a socket back', () => {
    const { charger } = notify({}, { reported: socket({ at: secondsBefore(-30) }) });
    expect(charger.reported.sockets['1']).toMatchObject({ state: 'Available', at: secondsBefore(-30) });
    const timed = notify({ timestamp: secondsBefore(90) }, { reported: socket() });
    expect(timed.charger.reported.sockets['1']).toMatchObject({ state: 'Available', at: secondsBefore(60) });
  });

  it('61. makes a refused session ongoing when its socket charges', () => {
    const { charger, rows } = notify({ status: 'Charging' }, { reported: session({ state: 'refused' }) });
    expect(rows.chargingDespiteRefusal).toEqual(['session-1']);
    expect(charger.reported.ongoing['1']).toMatchObject({ refused: false });
  });

  it.each([
    ['its socket is suspended by the charger', { status: 'SuspendedEVSE' }],
    ['another socket charges', { connectorId: 2, status: 'Charging' }],
  ])('61. leaves a refused session refused when %s', (_, fields) => {
    const { charger, rows, before } = notify(fields, { reported: session({ state: 'refused' }) });
    expect(rows.chargingDespiteRefusal).toEqual([]);
    expect(charger.reported.ongoing).toBe(before.reported.ongoing);
  });

  it.each<[string, object, Partial<Charger['reported']>, boolean]>([
    ['Available', {}, session(), true],
    ['Available, of before the start', { timestamp: secondsBefore(700) }, session(), false],
    ['Preparing', { status: 'Preparing' }, session(), false],
    ['Preparing, after Charging', { status: 'Preparing' }, session({}, socket({ position: [1, 3] })), true],
    ['Preparing, after a boot', { status: 'Preparing' }, session({}, boot([1, 3])), true],
    ['Preparing before a boot, redelivered after it', { status: 'Preparing' }, session({}, boot([1, 6])), false],
    [
      'Preparing, after Preparing',
      { status: 'Preparing' },
      session({}, socket({ state: 'Preparing', position: [1, 3] })),
      false,
    ],
    ['Finishing', { status: 'Finishing' }, session(), false],
    ['Faulted', { status: 'Faulted' }, session(), false],
    ['Available, of another socket', { connectorId: 2 }, session(), false],
    ['Available, of the charger itself', { connectorId: 0 }, session(), false],
    ['Available after a boot that has set the clock back', YEARS_BACK, session({}, boot([1, 3])), true],
    ['Available, by a clock that a boot before the start has set back', YEARS_BACK, session({}, boot([1, 1])), true],
    [
      'Available, days before the start and after a boot',
      { timestamp: secondsBefore(5 * 86_400) },
      session({}, boot([1, 1])),
      false,
    ],
    ['Available, years before the start and without a boot', YEARS_BACK, session(), false],
    ['Available, and it was released before', {}, session({ tagReleased: true }), false],
  ])('61. releases or retains the tag of a session when its socket is %s', (_, fields, reported, isReleased) => {
    const { rows } = notify(fields, { reported });
    expect(rows.tagReleased).toEqual(isReleased ? ['session-1'] : []);
  });

  it('53. removes a refused session when its socket is Available, and no other', () => {
    const other = ongoingOf(sessionWith({ socketId: 2, transactionId: 8 }), [1, 2]);
    const { ongoing } = session({ state: 'refused' });
    const { charger, rows } = notify({}, { reported: { ongoing: { ...ongoing, '2': other } } });
    expect(charger.reported.ongoing).toEqual({ '2': other });
    expect(rows.tagReleased).toEqual([]);
  });

  it('does not touch a session that began after the status', () => {
    const { charger, rows } = notify({}, { position: [1, 1], reported: session() });
    expect(charger.reported.ongoing['1']).toMatchObject({ sessionId: 'session-1' });
    expect(rows.tagReleased).toEqual([]);
  });

  const availability = (part: Partial<SocketAvailability> = {}): SocketAvailability => ({
    inForce: 'Operative',
    scheduled: 'Inoperative',
    at: secondsBefore(60),
    position: [1, 1],
    ...part,
  });
  const inForce = { inForce: 'Inoperative', scheduled: null, at: RECEIVED_AT, position: [1, 5] };

  it('completes a scheduled change of availability', () => {
    const { charger } = notify({ status: 'Unavailable' }, { reported: { availability: { '1': availability() } } });
    expect(charger.reported.availability).toEqual({ '1': inForce });
  });

  it('completes a scheduled change to Operative by any other status', () => {
    const before = availability({ inForce: 'Inoperative', scheduled: 'Operative' });
    const { charger } = notify({ status: 'Charging' }, { reported: { availability: { '1': before } } });
    expect(charger.reported.availability).toMatchObject({ '1': { inForce: 'Operative', scheduled: null } });
  });

  it('completes a scheduled change of the whole charger for the socket alone', () => {
    const { charger } = notify({ status: 'Unavailable' }, { reported: { availability: { '0': availability() } } });
    expect(charger.reported.availability).toEqual({ '0': availability(), '1': inForce });
  });

  it.each<[string, object, SocketAvailability]>([
    ['the socket still charges', { status: 'Charging' }, availability()],
    ['no change is scheduled', { status: 'Unavailable' }, availability({ scheduled: null })],
    ['a later message scheduled it', { status: 'Unavailable' }, availability({ position: [2, 1] })],
  ])('does not change the availability where %s', (_, fields, before) => {
    const { charger } = notify(fields, { reported: { availability: { '1': before } } });
    expect(charger.reported.availability).toEqual({ '1': before });
  });
});

function boot(position: readonly [number, number]): Partial<Charger['reported']> {
  const none = { serial: '', firmware: '', iccid: '', imsi: '', meterType: '', meterSerialNumber: '' };
  return { boot: { manufacturer: 'V', model: 'M', ...none, at: secondsBefore(60), position } };
}
