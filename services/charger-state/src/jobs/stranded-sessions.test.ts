// A deletion without its second write: the record is deleted, and its sessions are in progress.
import { AppError } from '@busbar/core';
import { noRows } from '@busbar/domain/reports';
import { type Charger } from '@busbar/domain/chargers';
import { createReportStore } from '@busbar/store';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { createStrandedSessions, type StrandedSessionsDeps } from './stranded-sessions';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';

const EVERY_MS = 60_000;

let world: ChargerStateWorld;
beforeEach(async () => {
  // A session of a refused tag is not in progress.
  world = await openWorld({ openCharging: true });
});
afterEach(() => world.close());

async function charging(tag = 'T'): Promise<Charger> {
  const charger = await world.register();
  const connection = await world.connect(charger);
  const start = { connectorId: 1, idTag: tag, meterStart: 0, timestamp: new Date().toISOString() };
  await connection.ask('StartTransaction', start);
  return charger;
}

/** Only the first write of a deletion. */
async function removeRecord({ chargerId }: Charger): Promise<void> {
  const { chargers } = world.platform.records;
  const now = await chargers.find(chargerId);
  expect(now !== undefined && (await chargers.remove(now))).toBe(true);
}

async function states(charger: Charger): Promise<string[]> {
  return (await world.sessions(charger)).map(({ state }) => state);
}

function strandedSessions(over: Partial<StrandedSessionsDeps> = {}) {
  const clock = createFakeClock(new Date());
  const logger = createRecordingLogger();
  const { sessions, chargers } = world.platform.records;
  const service = createStrandedSessions({ sessions, chargers, clock, logger, ...over });
  return { service, clock, logger };
}

it('ends at its start the sessions that an interrupted deletion left ongoing', async () => {
  const charger = await charging();
  const other = await charging('other');
  await removeRecord(charger);
  await world.restart();
  await eventually(async () => (await states(charger))[0] === 'superseded');
  expect(await states(other)).toEqual(['ongoing']);
});

it('ends them within a minute while it runs, and logs it once', async () => {
  const charger = await charging();
  const { service, clock, logger } = strandedSessions();
  await service.start();
  await removeRecord(charger);
  await eventually(async () => {
    clock.advance(EVERY_MS);
    return (await states(charger))[0] === 'superseded';
  });
  await service.stop();
  const warnings = logger.lines.filter(({ level }) => level === 'warn');
  expect(warnings).toEqual([expect.objectContaining({ fields: { chargerIds: [charger.chargerId] } })]);
});

it('logs nothing while the store is unavailable, and retries after a minute', async () => {
  const charger = await charging();
  await removeRecord(charger);
  const { sessions } = world.platform.records;
  let failures = 0;
  const { service, clock, logger } = strandedSessions({
    sessions: {
      ongoingAfter: (after, limit) => sessions.ongoingAfter(after, limit),
      abandon(chargerId, incarnationId) {
        failures += 1;
        if (failures === 1) return Promise.reject(new AppError('unavailable', 'the store is unavailable'));
        return sessions.abandon(chargerId, incarnationId);
      },
    },
  });
  await service.start();
  await eventually(() => failures === 1);
  await eventually(async () => {
    clock.advance(EVERY_MS);
    return (await states(charger))[0] === 'superseded';
  });
  await service.stop();
  expect(logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
});

it('leaves sessions of existing chargers ongoing, and continues where the last run ended', async () => {
  const charger = await charging();
  const [session] = await world.sessions(charger);
  if (session === undefined) throw new Error('there is no session');
  const former = { ...session, incarnationId: 'a former one', siteId: 7 };
  const rows = Array.from({ length: 2_100 }, (_, i) => ({
    ...(i === 2_099 ? former : session),
    _id: `s${String(i)}`,
    sessionId: `s${String(i)}`,
    transactionId: 1_000_000 + i,
  }));
  const { records, store } = world.platform;
  await createReportStore(store).write({ ...noRows(), sessions: rows }, []);
  const stateOfLast = async () => (await records.sessions.findByIds(['s2099']))[0]?.state;
  const lookedAfter: number[] = [];
  const { service, clock } = strandedSessions({
    sessions: {
      abandon: (chargerId, incarnationId) => records.sessions.abandon(chargerId, incarnationId),
      ongoingAfter: (after, limit) => (lookedAfter.push(after), records.sessions.ongoingAfter(after, limit)),
    },
  });
  await service.start();
  await eventually(() => lookedAfter.length === 10);
  expect(await stateOfLast()).toBe('ongoing');
  await eventually(async () => {
    clock.advance(EVERY_MS);
    return (await stateOfLast()) === 'superseded';
  });
  await service.stop();
  expect(new Set(lookedAfter.slice(0, 11)).size).toBe(11);
  expect(await records.sessions.ongoingAfter(0, 5_000)).toHaveLength(2_100);
});
