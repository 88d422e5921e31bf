import type { ConnectionEvent, ReportEnvelope } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import { createCharger, deleteCharger, type Charger, type ConnectionRecord } from '@busbar/domain/chargers';
import { noRows } from '@busbar/domain/reports';
import { createSite } from '@busbar/domain/sites';
import { eventually } from '@busbar/testing';
import { newCharger } from '@busbar/domain/testing';
import { openedEvent, openWorld, type ChargerStateWorld, type FakeConnection } from '../testing/open-world';
import { newReport } from '../testing/report';
import { addConnectionRows } from './connection-history';
import { foldConnected } from './fold-connection';

describe('the history of connections', () => {
  let world: ChargerStateWorld;
  let charger: Charger;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    charger = await world.register();
  });

  const LOST: ConnectionEvent = {
    ...openedEvent(new Date()),
    closeCode: 1006,
    closeReason: 'lost without a close frame',
  };
  const connect = () => world.connect(charger);

  async function history(of = charger): Promise<readonly ConnectionRecord[]> {
    const page = { page: 1, limit: 100, sortKey: 'connectedAt', sortDescending: true } as const;
    return (await world.platform.records.connectionHistory.list(of.incarnationId, {}, page)).items;
  }
  const ended = async ({ connectionId }: FakeConnection): Promise<ConnectionRecord> =>
    eventually(async () =>
      (await history()).find((each) => each.connectionId === connectionId && each.disconnectedAt !== null),
    );

  it('shows a connection while it is open, and its end', async () => {
    const connection = await connect();
    const [row] = await eventually(async () => ((await history()).length > 0 ? history() : undefined));
    expect(row).toMatchObject({
      connectionId: connection.connectionId,
      chargerId: charger.chargerId,
      gatewayId: world.gatewayId,
      ocppVersion: 'ocpp1.6',
      disconnectedAt: null,
      remoteAddress: '198.51.100.7',
      securityProfile: 2,
      closeCode: null,
      closeReason: null,
    });
    const report = await connection.send('disconnected', { payload: LOST });
    const after = await ended(connection);
    expect(after).toMatchObject({ disconnectedAt: report.receivedAt, closeCode: 1006, closeReason: LOST.closeReason });
    // Delivered twice, and an opening that arrives late.
    await connection.publish(report);
    await connection.send('connected', { payload: openedEvent(new Date()), seq: 1 });
    await connection.report('Heartbeat', {});
    await eventually(async () => (await world.log(charger)).length === 1);
    expect(await history()).toEqual([after]);
  });

  it('ends the older connection when a newer one opens, until its gateway reports the true end', async () => {
    const older = await connect();
    const newer = await connect();
    expect(await ended(older)).toMatchObject({
      closeCode: null,
      closeReason: 'replaced by a newer connection of this charger',
    });
    await older.send('disconnected', { payload: { ...LOST, closeCode: 1000 } });
    await eventually(async () => (await ended(older)).closeCode === 1000);
    const open = (await history()).filter(({ disconnectedAt }) => disconnectedAt === null);
    expect(open.map(({ connectionId }) => connectionId)).toEqual([newer.connectionId]);
  });

  it('shows an older connection as replaced whose opening is reported after the newer one', async () => {
    const older = await connect();
    const newer = await connect();
    await older.send('connected', { payload: openedEvent(new Date()), connectionId: 'late', seq: 1 });
    const late = { ...older, connectionId: 'late' };
    expect((await ended(late)).closeReason).toContain('replaced by a newer connection');
    expect((await history()).find(({ connectionId }) => connectionId === newer.connectionId)).toMatchObject({
      disconnectedAt: null,
    });
  });

  it('is deleted with the charger, and the next registration of its id begins with none', async () => {
    const connection = await connect();
    await eventually(async () => (await history()).length === 1);
    const { records } = world.platform;
    const connections = { close: () => Promise.resolve() };
    await deleteCharger({ ...records, connections }, charger);
    expect(await history()).toEqual([]);
    const deps = { ...records, clock: systemClock };
    await createSite(deps, 'another client', { name: 'Theirs' });
    const next = await createCharger(deps, 'another client', { chargerId: charger.chargerId, name: 'Again' });
    await connection.send('disconnected', { payload: LOST });
    await world.connect(next);
    await eventually(async () => (await history(next)).length === 1);
    expect(await history()).toEqual([]);
  });
});

it('shows as lost a connection that is announced under the id of a dead gateway', () => {
  const charger = newCharger({ chargerId: 'A' });
  const report = connectedReport({ gatewayId: 'dead' });
  const after = foldConnected(charger, report, () => true);
  const rows = noRows();
  addConnectionRows(rows, report, { before: charger, after }, () => true);
  expect(rows.connections).toMatchObject([{ disconnectedAt: report.receivedAt, closeCode: null }]);
  expect(rows.connections[0]?.closeReason).toContain('the gateway was lost');
});

it('has no row of a connection whose gateway sends no facts', () => {
  const charger = newCharger({ chargerId: 'A' });
  const rows = noRows();
  const report = connectedReport({ payload: null });
  addConnectionRows(rows, report, { before: charger, after: charger }, () => false);
  expect(rows).toEqual(noRows());
});

function connectedReport(over: Partial<ReportEnvelope>): ReportEnvelope {
  const payload = openedEvent(new Date(0));
  return newReport({ kind: 'connected', raw: '', payload, receivedAt: '2026-01-01T00:00:01.000Z', ...over });
}
