// Reads what handlers look up besides the charger: `prepare` names it, one read serves the whole batch.
import { type ReportStore } from '@busbar/domain/reports';
import { type ClientReader } from '@busbar/domain/clients';
import { deviceStateOf, type DeviceState } from '@busbar/domain/device-state';
import { type Session, type SessionReader } from '@busbar/domain/sessions';
import { type Tag, type TagReader } from '@busbar/domain/tags';
import type { IdTaker, Lookups, Needs, StartRefusal } from './contract';
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
}

export interface LookupSources {
  readonly clients: ClientReader;
  readonly tags: Pick<TagReader, 'findByKeys'>;
  readonly sessions: Pick<SessionReader, 'findByIds' | 'findByTransactions' | 'findOngoingByTags'>;
  readonly reports: Pick<ReportStore, 'takeTransactionIds' | 'takeClientStarts' | 'loadDeviceState'>;
  readonly countedStarts: CountedStarts;
}

type StartLimits = Pick<FoldSettings, 'maxStartsPerDay' | 'maxClientStartsPerDay'>;

export function createNeeds({ maxStartsPerDay = 0, maxClientStartsPerDay = 0 }: StartLimits = {}): NeedsList {
  const tags = new Map<string, Set<string>>();
  const ongoing = new Map<string, Set<string>>();
  const transactions = new Set<number>();
  const starts = new Map<string, IdTaker | undefined>();
  const holders = new Set<string>();
  return {
    tags,
    ongoing,
    transactions,
    starts,
    holders,
    maxStartsPerDay,
    maxClientStartsPerDay,
    get empty() {
      return tags.size === 0 && transactions.size === 0 && starts.size === 0 && holders.size === 0;
    },
    tag: (clientId, key) => addTo(tags, clientId, key),
    ongoingWithTag: (clientId, key) => addTo(ongoing, clientId, key),
    transaction(transactionId) {
      // Anything else is no number that the service gives (rule 57: -1, beyond 2^53), so there is nothing to look for.
      if (Number.isSafeInteger(transactionId) && transactionId > 0) transactions.add(transactionId);
    },
    start: (sessionId, taker) => void starts.set(sessionId, taker),
    deviceStates: (chargerId) => holders.add(chargerId),
  };
}

/** Reads everything needed, in as few calls as there are kinds. */
export async function readLookups(needs: NeedsList, sources: LookupSources): Promise<Lookups> {
  if (needs.empty) return lookupsOf(NOTHING);
  const [tags, started, transactions, ongoing, clients, deviceStates] = await Promise.all([
    eachClient(needs.tags, (clientId, keys) => sources.tags.findByKeys(clientId, keys)),
    sources.sessions.findByIds([...needs.starts.keys()]),
    sources.sessions.findByTransactions([...needs.transactions]),
    eachClient(needs.ongoing, (clientId, keys) => sources.sessions.findOngoingByTags(clientId, keys)),
    Promise.all([...needs.tags.keys()].map((clientId) => sources.clients.find(clientId))),
    sources.reports.loadDeviceState([...needs.holders]),
  ]);
  const known = new Set(started.map((session) => session.sessionId));
  const newIds = await takeTransactionIds(needs, known, sources);
  return lookupsOf({
    tags,
    sessions: [...started, ...transactions, ...ongoing],
    openClients: new Set(clients.flatMap((client) => (client?.openCharging ? [client.clientId] : []))),
    deviceStates,
    newIds,
  });
}

interface Found {
  readonly tags: readonly Tag[];
  readonly sessions: readonly Session[];
  readonly openClients: ReadonlySet<string>;
  readonly newIds: Pick<ReadonlyMap<string, number | StartRefusal>, 'get'>;
  readonly deviceStates: readonly DeviceState[];
}

const NOTHING: Found = { tags: [], sessions: [], openClients: new Set(), newIds: new Map(), deviceStates: [] };

/** The lookups of one batch, from what was read for it. */
export function lookupsOf(found: Found): Lookups {
  const tags = new Map(found.tags.map((tag) => [`${tag.clientId}/${tag.idTagKey}`, tag]));
  const sessions = new Map(found.sessions.map((session) => [session.sessionId, session]));
  const byTransaction = new Map(found.sessions.map((session) => [session.transactionId, session.sessionId]));
  const deviceStates = new Map(found.deviceStates.map((each) => [each.chargerId, each]));
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
    newTransactionId: (sessionId) => found.newIds.get(sessionId),
    put(session) {
      sessions.set(session.sessionId, session);
      byTransaction.set(session.transactionId, session.sessionId);
    },
    deviceStates: (charger) => deviceStateOf(charger, deviceStates.get(charger.chargerId)),
    putDeviceState: (changed) => void deviceStates.set(changed.chargerId, changed),
  };
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
