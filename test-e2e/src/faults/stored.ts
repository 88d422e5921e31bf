// The store's side of the account: what was answered is there, once; what was never sent is not.
import { systemClock } from '@busbar/core';
import { createStorePlatform, type StorePlatform } from '@busbar/runtime';
import { allCollections, and, type CollectionDefinition, type Document, type Store } from '@busbar/store';
import { createRecordingLogger } from '@busbar/testing';
import { isStarted, type Ledger, type SessionEntry } from './ledger';

type Row = Document & Readonly<Record<string, unknown>>;

/** Opens the store beside the service, for reading. */
export async function openStore(url: string): Promise<StorePlatform> {
  const platform = createStorePlatform(url, { logger: createRecordingLogger(), clock: systemClock });
  await platform.start();
  return platform;
}

/** Returns the differences between the ledgers and the store, in sentences; none when all is right. */
export async function differences(store: Store, ledgers: readonly Ledger[]): Promise<string[]> {
  const ids = ledgers.map(({ chargerId }) => chargerId);
  const [log, statuses, meterValues, sessions, chargers, letters] = await Promise.all([
    rowsOf(store, 'ocppLog', ids),
    rowsOf(store, 'stateChanges', ids),
    rowsOf(store, 'meterValues', ids),
    rowsOf(store, 'sessions', ids),
    rowsOf(store, 'chargers', ids),
    rowsOf(store, 'deadLetters', ids),
  ]);
  const found = ledgers.flatMap((ledger) => {
    const own = (rows: ReadonlyMap<string, readonly Row[]>): readonly Row[] => rows.get(ledger.chargerId) ?? [];
    return [
      ...compare(ledger, 'log', { sent: ledger.messages, rows: own(log).filter(isFromCharger), keyOf: messageIdOf }),
      ...compare(ledger, 'states', {
        sent: ledger.statuses,
        rows: own(statuses),
        keyOf: (row) => String(row['at']),
        // Transactions of OCPP 2.x change states too.
        hasOthers: ledger.version !== 'ocpp1.6',
      }),
      ...compare(ledger, 'meter values', { sent: ledger.meterValues, rows: own(meterValues), keyOf: meterKeyOf }),
      ...compareSessions(ledger, own(sessions)),
      ...compareStatus(ledger, own(chargers)[0]),
      ...ledger.problems.map((problem) => `${ledger.chargerId}: ${problem}`),
    ];
  });
  return letters.size === 0 ? found : [...found, `dead letters of ${[...letters.keys()].join(', ')}`];
}

export interface RowsOfCharger {
  /** The incarnation of the charger that has the id now. */
  readonly incarnationId: string;
  /** The log of all chargers that ever had it. */
  readonly log: readonly { readonly messageId: string; readonly incarnationId: string }[];
  /** The times of the states of the one that has it now. */
  readonly states: readonly string[];
}

export async function rowsOfCharger(store: Store, chargerId: string): Promise<RowsOfCharger> {
  const [charger, log, states] = await Promise.all(
    ['chargers', 'ocppLog', 'stateChanges'].map(
      async (name) => (await rowsOf(store, name, [chargerId])).get(chargerId) ?? [],
    ),
  );
  const incarnationId = String(charger?.[0]?.['incarnationId']);
  return {
    incarnationId,
    log: (log ?? []).filter(isFromCharger).map((row) => ({
      messageId: messageIdOf(row),
      incarnationId: String(row['incarnationId']),
    })),
    states: (states ?? []).filter((row) => row['incarnationId'] === incarnationId).map((row) => String(row['at'])),
  };
}

interface Account {
  readonly sent: ReadonlyMap<string, { readonly answered: boolean }>;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Rows that no entry names are right. */
  readonly hasOthers?: boolean;
}

function compare({ chargerId }: Ledger, what: string, { sent, rows, keyOf, hasOthers = false }: Account): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  const wrong: string[] = [];
  for (const [key, { answered }] of sent) {
    if (answered && !counts.has(key)) wrong.push(`${chargerId} ${what}: ${key} was answered and is not stored`);
  }
  for (const [key, count] of counts) {
    if (count > 1) wrong.push(`${chargerId} ${what}: ${key} is stored ${String(count)} times`);
    if (!hasOthers && !sent.has(key)) wrong.push(`${chargerId} ${what}: ${key} is stored and was never sent`);
  }
  return wrong;
}

function compareSessions(ledger: Ledger, rows: readonly Row[]): string[] {
  const { chargerId } = ledger;
  const wrong: string[] = [];
  const byStart = new Map(rows.map((row) => [String(row['startTime']), row]));
  if (byStart.size !== rows.length) wrong.push(`${chargerId} sessions: one start is stored twice`);
  for (const row of rows) {
    if (!ledger.sessions.some(({ startTime }) => startTime === row['startTime'])) {
      wrong.push(`${chargerId} sessions: ${row._id} was never started`);
    }
  }
  return [
    ...wrong,
    ...ledger.sessions.filter(isStarted).flatMap((session) => compareSession(chargerId, session, byStart)),
  ];
}

function compareSession(
  chargerId: string,
  { startTime, transactionId, stop }: SessionEntry,
  byStart: ReadonlyMap<string, Row>,
): string[] {
  const row = byStart.get(startTime);
  if (row === undefined) return [`${chargerId} sessions: the start of ${startTime} was answered and is not stored`];
  if (transactionId !== undefined && row['transactionId'] !== transactionId) {
    return [`${chargerId} sessions: another transaction id was stored`];
  }
  if (stop?.answered === true && (row['state'] !== 'ended' || row['meterStop'] !== stop.meterStop)) {
    return [`${chargerId} sessions: the stop of ${startTime} was answered and is not stored`];
  }
  return [];
}

/** The current status is the last one sent, where that one was answered. */
function compareStatus({ chargerId, version, statuses }: Ledger, charger: Row | undefined): string[] {
  if (charger === undefined) return [`${chargerId} is gone from the store`];
  const [last] = [...statuses].slice(-1);
  if (last?.[1].answered !== true) return [];
  // Of OCPP 2.x the transaction decides what Occupied is.
  if (version !== 'ocpp1.6' && last[1].status === 'Occupied') return [];
  const reported = charger['reported'] as { sockets: Record<string, { at: string; state: string } | undefined> };
  const stored = reported.sockets['1'];
  return stored?.at === last[0] && stored.state === last[1].status
    ? []
    : [`${chargerId}: its last status was ${last[1].status} of ${last[0]}, stored is ${JSON.stringify(stored)}`];
}

function isFromCharger(row: Row): boolean {
  return row['source'] === 'charger';
}

function messageIdOf(row: Row): string {
  return String(row['messageId']);
}

function meterKeyOf(row: Row): string {
  const { meterValue } = row['payload'] as { meterValue: readonly { timestamp: string }[] };
  return meterValue[0]?.timestamp ?? 'without a time';
}

async function rowsOf(store: Store, name: string, chargerIds: readonly string[]): Promise<Map<string, Row[]>> {
  const definition = allCollections.find((each) => each.name === name);
  if (definition === undefined) throw new Error(`no collection ${name}`);
  // The same collection, read as rows of which only the charger is known.
  const collection = store.collection(definition as CollectionDefinition<Row>);
  const byCharger = new Map<string, Row[]>();
  const wanted = new Set(chargerIds);
  const sorted = chargerIds.toSorted();
  const [first = '', last = first] = [sorted[0], sorted.at(-1)];
  // A range instead of a list: the stand-in for MongoDB compares each document with every entry of a list.
  const range = and({ op: 'gte', path: 'chargerId', value: first }, { op: 'lte', path: 'chargerId', value: last });
  for (const row of await collection.find(range)) {
    if (!wanted.has(String(row['chargerId']))) continue;
    const list = byCharger.get(String(row['chargerId']));
    if (list) list.push(row);
    else byCharger.set(String(row['chargerId']), [row]);
  }
  return byCharger;
}
