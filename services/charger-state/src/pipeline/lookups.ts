// Reads what handlers look up besides the charger: `prepare` names it, one read serves the whole batch.
import type { Timestamp } from '@busbar/domain';
import { type ReportStore } from '@busbar/domain/reports';
import { type ClientReader } from '@busbar/domain/clients';
import { deviceModelOf, type DeviceModel } from '@busbar/domain/device-model';
import { deviceStateOf, eventStreamsOf, type DeviceState, type EventStreams } from '@busbar/domain/device-state';
import { type Session, type SessionReader } from '@busbar/domain/sessions';
import { type Tag, type TagReader } from '@busbar/domain/tags';
import type { IdTaker, Lookups, NeededTransaction, Needs, StartRefusal } from './contract';
import type { FoldSettings } from './fold';
import { takeTransactionIds, type CountedStarts } from './transaction-ids';

export interface NeedsList extends Needs {
  readonly empty: boolean;
  readonly tags: ReadonlyMap<string, ReadonlySet<string>>;
  readonly ongoing: ReadonlyMap<string, ReadonlySet<string>>;
  readonly transactions: ReadonlySet<number>;
  readonly starts: ReadonlyMap<string, IdTaker | undefined>;
  /** Transactions that a client's chargers may begin in a day; 0: any number. */
  readonly maxClientStartsPerDay: number;
  readonly holders: ReadonlySet<string>;
  /** Chargers whose device model is needed. */
  readonly models: ReadonlySet<string>;
  /** Chargers whose event streams are needed. */
  readonly streams: ReadonlySet<string>;
  /** By key. */
  readonly deviceTransactions: ReadonlyMap<string, readonly PlacedTransaction[]>;
}

/** `place`: ascends in the order of the batch. */
interface PlacedTransaction extends NeededTransaction {
  readonly place: number;
}

export interface LookupSources {
  readonly clients: ClientReader;
  readonly tags: Pick<TagReader, 'findByKeys'>;
  readonly sessions: Pick<SessionReader, 'findByIds' | 'findByTransactions' | 'findByDeviceKeys' | 'findOngoingByTags'>;
  readonly reports: Pick<
    ReportStore,
    'takeTransactionIds' | 'takeClientStarts' | 'loadDeviceState' | 'loadDeviceModels' | 'loadEventStreams'
  >;
  readonly countedStarts: CountedStarts;
}

type StartLimits = Pick<FoldSettings, 'maxStartsPerDay' | 'maxClientStartsPerDay'>;

export function createNeeds({ maxStartsPerDay = 0, maxClientStartsPerDay = 0 }: StartLimits = {}): NeedsList {
  const tags = new Map<string, Set<string>>();
  const ongoing = new Map<string, Set<string>>();
  const transactions = new Set<number>();
  const starts = new Map<string, IdTaker | undefined>();
  const holders = new Set<string>();
  const models = new Set<string>();
  const streams = new Set<string>();
  const deviceTransactions = new Map<string, PlacedTransaction[]>();
  let place = 0;
  return {
    tags,
    ongoing,
    transactions,
    starts,
    holders,
    models,
    streams,
    deviceTransactions,
    maxStartsPerDay,
    maxClientStartsPerDay,
    get empty() {
      return [tags, transactions, starts, holders, models, streams, deviceTransactions].every(({ size }) => size === 0);
    },
    tag: (clientId, key) => addTo(tags, clientId, key),
    ongoingWithTag: (clientId, key) => addTo(ongoing, clientId, key),
    transaction(transactionId) {
      // Anything else is no number that the service gives (rule 57: -1, beyond 2^53), so there is nothing to look for.
      if (Number.isSafeInteger(transactionId) && transactionId > 0) transactions.add(transactionId);
    },
    start: (sessionId, taker) => void starts.set(sessionId, taker),
    deviceTransaction(needed) {
      const transaction = { ...needed, place: (place += 1) };
      const others = deviceTransactions.get(transaction.key);
      if (others === undefined) deviceTransactions.set(transaction.key, [transaction]);
      else others.push(transaction);
    },
    deviceStates: (chargerId) => holders.add(chargerId),
    deviceModel: (chargerId) => models.add(chargerId),
    eventStreams: (chargerId) => streams.add(chargerId),
  };
}

/** Reads everything needed, in as few calls as there are kinds. */
export async function readLookups(needs: NeedsList, sources: LookupSources): Promise<Lookups> {
  if (needs.empty) return lookupsOf(NOTHING);
  const needed = [...needs.deviceTransactions.values()].flat();
  const again = needed.flatMap(({ startsAgain }) => (startsAgain === undefined ? [] : [startsAgain.sessionId]));
  const [tags, started, transactions, onDevices, ongoing, clients, ...documents] = await Promise.all([
    eachClient(needs.tags, (clientId, keys) => sources.tags.findByKeys(clientId, keys)),
    sources.sessions.findByIds([...needs.starts.keys(), ...again]),
    sources.sessions.findByTransactions([...needs.transactions]),
    sources.sessions.findByDeviceKeys([...needs.deviceTransactions.keys()]),
    eachClient(needs.ongoing, (clientId, keys) => sources.sessions.findOngoingByTags(clientId, keys)),
    Promise.all([...needs.tags.keys()].map((clientId) => sources.clients.find(clientId))),
    sources.reports.loadDeviceState([...needs.holders]),
    sources.reports.loadDeviceModels([...needs.models]),
    sources.reports.loadEventStreams([...needs.streams]),
  ]);
  const [deviceStates, deviceModels, eventStreams] = documents;
  const { maxClientStartsPerDay } = needs;
  const sessions = [...started, ...transactions, ...onDevices, ...ongoing];
  const known = new Set(sessions.map((session) => session.sessionId));
  const starts = new Map([...needs.starts, ...startsOnDevices(needs.deviceTransactions, onDevices)]);
  const newIds = await takeTransactionIds({ starts, maxClientStartsPerDay }, known, sources);
  return lookupsOf({
    tags,
    sessions,
    openClients: new Set(clients.flatMap((client) => (client?.openCharging ? [client.clientId] : []))),
    deviceStates,
    models: needs.models,
    deviceModels,
    eventStreams,
    newIds,
  });
}

/**
 * Sessions that these transactions may begin: one for a transaction that has none, and for a charger that has used the id before, stored
 * or in the same batch, one for each Started, and one for each Ended after another end. In the order of the batch, as their ids must
 * ascend: a charger counts starts by them.
 */
export function startsOnDevices(
  needed: NeedsList['deviceTransactions'],
  stored: readonly Session[],
): readonly (readonly [sessionId: string, taker: IdTaker | undefined])[] {
  const usedKeys = new Set(stored.map(({ device }) => device?.key));
  const starts = [...needed].flatMap(([key, transactions]) => {
    const first = transactions.find(({ taker }) => taker !== undefined) ?? transactions[0];
    const begun =
      first === undefined || usedKeys.has(key)
        ? []
        : [{ sessionId: first.sessionId, taker: first.taker, place: transactions[0]?.place ?? first.place }];
    const times = new Set(transactions.map(startOf));
    times.delete(undefined);
    const isReused = usedKeys.has(key) || endsBeforeStart(transactions) ? times.size > 0 : times.size > 1;
    const own = stored.filter(({ device }) => device?.key === key);
    const ends = [...own.map(endOf), ...transactions.map(({ endTime }) => endTime)].flatMap((time) => time ?? []);
    const again = transactions.flatMap(({ startsAgain, endTime, taker, place }) => {
      if (startsAgain === undefined) return [];
      const begins =
        endTime === undefined ? isReused && !hasStart(own, startsAgain.startTime) : isEndOfOther(ends, endTime);
      return begins ? [{ sessionId: startsAgain.sessionId, taker, place }] : [];
    });
    return [...begun, ...again];
  });
  return starts
    .toSorted((one, other) => one.place - other.place)
    .map(({ sessionId, taker }) => [sessionId, taker] as const);
}

/** Of a Started event. */
function startOf({ startsAgain, endTime }: NeededTransaction): Timestamp | undefined {
  return endTime === undefined ? startsAgain?.startTime : undefined;
}

/** An event of the batch ends the transaction, and a later one begins another with its id. */
function endsBeforeStart(transactions: readonly NeededTransaction[]): boolean {
  const at = transactions.findIndex(({ endTime }) => endTime !== undefined);
  const endTime = transactions[at]?.endTime ?? '';
  return at >= 0 && transactions.slice(at).some((each) => (startOf(each) ?? '') > endTime);
}

/** Undefined while it is open. That of an operator says nothing of the charger's own time, so it is before any. */
function endOf({ endTime, endedBy }: Session): Timestamp | undefined {
  return endedBy === 'operator' ? '' : (endTime ?? undefined);
}

/** `ends`: those of the id, with this one where it is of the batch. */
function isEndOfOther(ends: readonly Timestamp[], endTime: Timestamp): boolean {
  return ends.some((each) => each < endTime);
}

function hasStart(stored: readonly Session[], time: Timestamp): boolean {
  return stored.some(({ device, startTime }) => device?.startKnown === true && startTime === time);
}

interface Found {
  readonly tags: readonly Tag[];
  readonly sessions: readonly Session[];
  readonly openClients: ReadonlySet<string>;
  readonly newIds: Pick<ReadonlyMap<string, number | StartRefusal>, 'get'>;
  readonly deviceStates: readonly DeviceState[];
  /** Chargers whose device model was read. */
  readonly models?: ReadonlySet<string>;
  readonly deviceModels?: readonly DeviceModel[];
  readonly eventStreams?: readonly EventStreams[];
}

const NOTHING: Found = { tags: [], sessions: [], openClients: new Set(), newIds: new Map(), deviceStates: [] };

/** The lookups of one batch, from what was read for it. */
export function lookupsOf(found: Found): Lookups {
  const tags = new Map(found.tags.map((tag) => [`${tag.clientId}/${tag.idTagKey}`, tag]));
  const sessions = new Map(found.sessions.map((session) => [session.sessionId, session]));
  const byTransaction = new Map(found.sessions.map((session) => [session.transactionId, session.sessionId]));
  const deviceStates = new Map(found.deviceStates.map((each) => [each.chargerId, each]));
  const { models = new Set(), deviceModels: stored = [] } = found;
  const deviceModels = new Map(stored.map((each) => [each.chargerId, each]));
  const eventStreams = new Map(found.eventStreams?.map((each) => [each.chargerId, each]));
  return {
    tag: (clientId, key) => tags.get(`${clientId}/${key}`),
    chargesOpenly: (clientId) => found.openClients.has(clientId),
    session: (sessionId) => sessions.get(sessionId),
    sessionOfTransaction(transactionId) {
      const sessionId = transactionId === undefined ? undefined : byTransaction.get(transactionId);
      return sessionId === undefined ? undefined : sessions.get(sessionId);
    },
    ongoingWithTag: (clientId, key) =>
      [...sessions.values()].filter(
        (session) => session.state === 'ongoing' && session.clientId === clientId && session.idTagKey === key,
      ),
    sessionsOfDevice: (key) => [...sessions.values()].filter(({ device }) => device?.key === key).toSorted(byStart),
    newTransactionId: (sessionId) => found.newIds.get(sessionId),
    put(session) {
      sessions.set(session.sessionId, session);
      byTransaction.set(session.transactionId, session.sessionId);
    },
    deviceStates: (charger) => deviceStateOf(charger, deviceStates.get(charger.chargerId)),
    putDeviceState: (changed) => void deviceStates.set(changed.chargerId, changed),
    deviceModel: (charger) =>
      models.has(charger.chargerId) ? deviceModelOf(charger, deviceModels.get(charger.chargerId)) : undefined,
    putDeviceModel: (changed) => void deviceModels.set(changed.chargerId, changed),
    eventStreams: (charger) => eventStreamsOf(charger, eventStreams.get(charger.chargerId)),
    putEventStreams: (changed) => void eventStreams.set(changed.chargerId, changed),
  };
}

function byStart(one: Session, other: Session): number {
  if (one.startTime === other.startTime) return one.transactionId - other.transactionId;
  return one.startTime < other.startTime ? -1 : 1;
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}

async function eachClient<T>(
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
  read: (clientId: string, keys: string[]) => Promise<T[]>,
): Promise<T[]> {
  const found = await Promise.all([...wanted].map(([clientId, keys]) => read(clientId, [...keys])));
  return found.flat();
}
