// Measures the cost of a batch of reports: the commands of MongoDB's driver, and how many of them wait for others.
import { createId, systemClock } from '@busbar/core';
import { createCharger, type Charger } from '@busbar/domain/chargers';
import { noRows, type ChargerChange, type ReportRows, type ReportStore } from '@busbar/domain/reports';
import { createSite } from '@busbar/domain/sites';
import { createRecordingLogger, describeWithDocumentServer } from '@busbar/testing';
import { Connection, type mongo } from 'mongoose';
import { createMongoStore } from '../../mongo/mongo-store';
import type { Store } from '../../port';
import { createRecords, type StoredRecords } from '../create-records';
import { createReportStore } from './report-store';

const AT = '2026-01-01T12:00:00.000Z';
const CHARGERS = 40;
/** More than a batch has collections: commands that need a new connection would begin later. */
const WARM_READS = 20;
const COUNTED: ReadonlySet<string> = new Set(['find', 'insert', 'update', 'delete', 'findAndModify', 'aggregate']);

/** Commands by round trip: those of one began before any of them was answered. */
function watchCommands(): { take(): string[][] } {
  const { openUri } = Connection.prototype;
  let trips: string[][] = [];
  let inFlight = 0;
  jest.spyOn(Connection.prototype, 'openUri').mockImplementation(function (this: Connection, uri, options) {
    const opening = openUri.call(this, uri, { ...options, monitorCommands: true });
    const client = this.getClient();
    client.on('commandStarted', ({ commandName, command }: mongo.CommandStartedEvent) => {
      if (!COUNTED.has(commandName)) return;
      if (inFlight === 0) trips.push([]);
      inFlight += 1;
      trips.at(-1)?.push(`${commandName} ${String((command as Record<string, unknown>)[commandName])}`);
    });
    const ended = ({ commandName }: { readonly commandName: string }): void => {
      if (COUNTED.has(commandName)) inFlight -= 1;
    };
    client.on('commandSucceeded', ended).on('commandFailed', ended);
    return opening;
  });
  return {
    take() {
      const taken = trips;
      trips = [];
      return taken.map((names) => names.sort());
    },
  };
}

describeWithDocumentServer('MongoDB', (server) => {
  const watch = watchCommands();
  let store: Store;
  let records: StoredRecords;
  let reports: ReportStore;
  const ids = Array.from({ length: CHARGERS }, (_each, n) => `A_${String(n)}`);

  beforeAll(async () => {
    const url = new URL(server().url);
    url.pathname = `/trips_${createId().toLowerCase()}`;
    store = createMongoStore({ url: url.href, logger: createRecordingLogger(), clock: systemClock });
    records = createRecords(store);
    reports = createReportStore(store);
    await store.start();
    const deps = { ...records, clock: systemClock };
    const { siteId } = await createSite(deps, 'client', { name: 'A site' });
    for (const chargerId of ids) await createCharger(deps, 'client', { chargerId, name: chargerId, siteId });
    await Promise.all(Array.from({ length: WARM_READS }, () => records.sites.findOldest('client')));
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await store.stop();
  });

  it('takes at most two round trips for a batch of reports, with one command for each collection', async () => {
    const chargers = await reports.loadChargers(ids);
    const rows: ReportRows = {
      ...noRows(),
      log: chargers.flatMap((charger) => [logRow(charger, 1), logRow(charger, 2)]),
      stateChanges: chargers.map(stateChange),
      meterValues: chargers.map(meterValues),
    };
    watch.take();
    expect(await reports.write(rows, chargers.map(seen))).toBe('written');
    expect(watch.take()).toEqual([
      ['insert meterValues', 'insert ocppLog', 'insert stateChanges'],
      ['update chargers'],
    ]);
  });

  it('takes as few for a batch of chargers that reconnected, though each replaces a connection', async () => {
    const chargers = await reports.loadChargers(ids);
    const rows: ReportRows = {
      ...noRows(),
      log: chargers.map((charger) => logRow(charger, 3)),
      connections: chargers.map((charger) => connection(charger, 'new')),
      replacedConnections: ids.map((chargerId) => ({ connectionId: `${chargerId}-old-A`, at: AT })),
    };
    watch.take();
    expect(await reports.write(rows, chargers.map(seen))).toBe('written');
    expect(watch.take()).toEqual([['insert connections', 'insert ocppLog', 'update connections'], ['update chargers']]);
  });

  it('reads of one turn cost one round trip and one command for each collection', async () => {
    watch.take();
    const read = await Promise.all(ids.map((chargerId) => records.chargers.find(chargerId)));
    expect(read.map((charger) => charger?.chargerId)).toEqual(ids);
    expect(watch.take()).toEqual([['find chargers']]);
  });
});

function seen(from: Charger): ChargerChange {
  return { from, to: { ...from, revision: from.revision + 1, reported: { ...from.reported, lastSeen: AT } } };
}

/** Its id ends in a letter of connections that do not delete old ones. */
function connection({ chargerId, incarnationId }: Charger, which: string): ReportRows['connections'][number] {
  return {
    connectionId: `${chargerId}-${which}-A`,
    chargerId,
    incarnationId,
    seq: 1,
    connectedAt: AT,
    disconnectedAt: null,
    gatewayId: 'g',
    remoteAddress: null,
    ocppVersion: 'ocpp1.6',
    securityProfile: 0,
    closeCode: null,
    closeReason: null,
  };
}

function ownerOf({ chargerId, incarnationId, clientId }: Charger) {
  return { chargerId, incarnationId, clientId };
}

function logRow(charger: Charger, n: number): ReportRows['log'][number] {
  const { chargerId, incarnationId } = charger;
  return {
    rowId: `${chargerId}-${String(n)}`,
    chargerId,
    incarnationId,
    ocppVersion: 'ocpp1.6',
    action: 'Heartbeat',
    messageId: String(n),
    source: 'charger',
    at: AT,
    request: '[2,"1","Heartbeat",{}]',
    response: '',
  };
}

function stateChange(charger: Charger): ReportRows['stateChanges'][number] {
  const { siteId } = charger.registered;
  const row = { rowId: charger.chargerId, siteId, socketId: 1, state: 'Available', errorCode: 'NoError' } as const;
  return { ...ownerOf(charger), ...row, at: AT, receivedAt: AT };
}

function meterValues(charger: Charger): ReportRows['meterValues'][number] {
  const row = { rowId: charger.chargerId, socketId: 1, sessionId: null, payload: {} };
  return { ...ownerOf(charger), ...row, receivedAt: AT };
}
