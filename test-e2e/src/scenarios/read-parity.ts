// Compares the reads of the two APIs: a response of v2, translated into the words of the v1 API
// (docs/migrating-from-legacy.md), must equal the response of v1.
import { eventually } from '@busbar/testing';
import { connect, readV2, uniqueId, v2, type World } from '../harness/world';
import type { UseCase } from './parity';
import { makeSite } from './registry-parity';

/** A site below another, each with a charger: one that has been busy, one that has never connected. */
export interface Network {
  readonly root: number;
  readonly child: number;
  readonly busy: string;
  readonly idle: string;
  readonly nobody: string;
  readonly tag: string;
}

export interface ReadUseCase extends UseCase<Network> {
  /** Both in the same words; the answer as it is when absent. */
  readonly newer?: (answer: unknown) => unknown;
  readonly older?: (answer: unknown) => unknown;
}

type Json = Readonly<Record<string, unknown>>;

interface Site extends Json {
  readonly id: number;
}

interface Node extends Site {
  readonly chargers: readonly Json[];
  readonly subgroups: readonly Node[];
}

const UNKNOWN_SITE = 999_999_999;
const PAST = '2000-01-01T00:00:00Z';
const FUTURE = '2999-01-01T00:00:00.000Z';

const reading = (title: string, v2Path: UseCase<Network>['v2'][1], v1Path: UseCase<Network>['v2'][1]) =>
  ({ title, v2: ['GET', v2Path], legacy: ['GET', v1Path] }) as const;

const readingCharger = (title: string, of: (network: Network) => string) =>
  reading(
    title,
    (network) => `/chargers/${of(network)}`,
    (network) => `/charger/${of(network)}`,
  );

const readingSite = (title: string, of: (network: Network) => number) =>
  reading(
    title,
    (network) => `/sites/${String(of(network))}`,
    (network) => `/group/${String(of(network))}`,
  );

const listingChargers = (title: string, of: (network: Network) => number | undefined) => {
  const named = (name: string, network: Network) => {
    const site = of(network);
    return site === undefined ? '' : `${name}=${String(site)}`;
  };
  return {
    ...reading(
      title,
      (network) => `/chargers?includeChargerConfigurations=true&${named('siteId', network)}`,
      (network) => `/charger?${named('groupId', network)}`,
    ),
    newer: (answer: unknown) => itemsOf(answer).map(chargerAsV1),
  };
};

/** Criteria in the older words. */
const searching = (
  title: string,
  criteria: (network: Network) => Readonly<Record<string, string | readonly (string | number)[]>>,
  sortKey = 'startTime',
) => ({
  title,
  v2: [
    'GET',
    (network: Network) => {
      const { chargerIDs, groupIDs, ...rest } = criteria(network);
      const lists = { ...(chargerIDs && { chargerIds: chargerIDs }), ...(groupIDs && { siteIds: groupIDs }) };
      const query = Object.entries({ ...rest, ...lists }).flatMap(([name, value]) =>
        [value].flat().map((each): [string, string] => [name, String(each).replaceAll(/[\\,]/g, '\\$&')]),
      );
      return `/sessions?sortKey=${sortKey}&${new URLSearchParams(query).toString()}`;
    },
  ] as const,
  legacy: ['POST', () => '/statistics/transactions', criteria] as const,
  newer: (answer: unknown) => itemsOf(answer).map(sessionAsV1),
  older: (answer: unknown) => (answer as { results: unknown }).results,
});

export const READS: readonly ReadUseCase[] = [
  { ...readingCharger('reading a charger', ({ busy }) => busy), newer: chargerAsV1 },
  {
    ...readingCharger('reading a charger that has never connected', ({ idle }) => idle),
    newer: chargerAsV1,
  },
  { ...readingCharger('reading a charger that nobody has', ({ nobody }) => nobody), refused: '404 not_found' },
  { ...readingCharger('reading a charger of a bad id', () => 'a%2Fb'), refused: '400 invalid_charger_id' },
  listingChargers('listing all chargers', () => undefined),
  listingChargers('listing the chargers of a site', ({ root }) => root),
  listingChargers('listing the chargers of an unknown site', () => UNKNOWN_SITE),
  { ...listingChargers('listing the chargers of site 0', () => 0), refused: '400 invalid_site_id' },
  { ...readingSite('reading a site', ({ root }) => root), newer: shortOfSite, older: shortOfNode },
  {
    ...readingSite('reading a site with nothing below it', ({ child }) => child),
    newer: shortOfSite,
    older: shortOfNode,
  },
  { ...readingSite('reading an unknown site', () => UNKNOWN_SITE), refused: '404 not_found' },
  { ...readingSite('reading site 0', () => 0), refused: '400 invalid_site_id' },
  {
    ...reading(
      'reading all sites',
      () => '/sites',
      () => '/group',
    ),
    newer: (answer) => itemsOf(answer).map((site) => [shortOfSite(site), site['parentSiteId']]),
    older: (answer) => flattened(answer as readonly Node[], null).map(([node, parent]) => [shortOfNode(node), parent]),
  },
  {
    ...reading(
      'the network in numbers',
      () => '/statistics',
      () => '/statistics',
    ),
    newer: statisticsAsV1,
    older: (answer) => ({ ...(answer as Json), generatedAt: undefined }),
  },
  searching('the sessions begun since', () => ({ startTime: PAST })),
  searching('the sessions begun until', () => ({ startTimeSearchEnd: FUTURE })),
  searching('the sessions ended since', () => ({ stopTimeSearchBegin: PAST }), 'endTime'),
  searching('the sessions ended until', () => ({ stopTime: FUTURE }), 'endTime'),
  searching('the sessions begun since a time to come', () => ({ startTime: FUTURE })),
  searching('the sessions of a charger', ({ busy, nobody }) => ({ startTime: PAST, chargerIDs: [busy, nobody] })),
  searching('the sessions of a charger that has none', ({ idle }) => ({ startTime: PAST, chargerIDs: [idle] })),
  searching('the sessions at a site', ({ root, child }) => ({ startTime: PAST, groupIDs: [root, child] })),
  searching('the sessions at another site', ({ child }) => ({ startTime: PAST, groupIDs: [child] })),
  searching('the sessions of a tag', ({ tag }) => ({ startTime: PAST, rfidTags: [tag.toUpperCase()] })),
  { ...searching('the sessions since no time', () => ({ startTime: 'today' })), refused: '400 invalid_request' },
  {
    ...searching('the sessions at site 0', () => ({ startTime: PAST, groupIDs: [0] })),
    refused: '400 invalid_site_id',
  },
  {
    ...searching('the sessions of a charger of a bad id', () => ({ startTime: PAST, chargerIDs: ['a/b'] })),
    refused: '400 invalid_charger_id',
  },
  {
    ...searching('the sessions of a tag without a letter', () => ({ startTime: PAST, rfidTags: [''] })),
    refused: '400 invalid_request',
  },
];

/** As a client that has nothing else. */
export async function makeNetwork(world: World): Promise<Network> {
  const root = await makeSite(world, { name: 'Root', externalId: 'R', groupType: 'SUB_CPO' });
  const child = await makeSite(world, { name: 'Child', parentSiteId: root });
  const [busy, idle, nobody] = [uniqueId('BUSY'), uniqueId('IDLE'), uniqueId('NOBODY')];
  const sockets = [{ id: 1, type: 'CCS2', maxPower: '50', name: 'Left' }, { id: 3 }];
  const location = { city: 'Oslo', latitude: 59.9 };
  for (const body of [
    { chargerId: busy, name: 'Busy', siteId: root, location, sockets, pushIntegrationEnabled: true },
    { chargerId: idle, name: 'Idle', siteId: child },
  ]) {
    expect((await v2(world, '/chargers', { method: 'POST', body })).status).toBe(200);
  }
  // Everything in it that a list of a query has a meaning for.
  const tag = uniqueId('t\\,');
  // The v1 search leaves out what was refused.
  expect((await v2(world, '/tags', { method: 'POST', body: { idTag: tag } })).status).toBe(200);
  const socket = await connect(world, busy);
  await socket.boot();
  await socket.status(1, 'Charging');
  await socket.status(2, 'Faulted', { errorCode: 'GroundFailure' });
  const { transactionId } = await socket.start({ connectorId: 1, idTag: tag, meterStart: 1000 });
  await socket.stop({ transactionId: Number(transactionId), meterStop: 3500, reason: 'Local' });
  await socket.start({ connectorId: 1, idTag: tag, meterStart: 3500 });
  await socket.waitForCall('GetConfiguration');
  // The answer to a decision is given when it and all before it are stored.
  await socket.authorize(tag);
  await eventually(async () => JSON.stringify(await readV2(world, busy)).includes('HeartbeatInterval'));
  return { root, child, busy, idle, nobody, tag };
}

function itemsOf(answer: unknown): readonly Json[] {
  return (answer as { items: readonly Json[] }).items;
}

interface ChargerParts {
  readonly location: Json;
  readonly sockets: readonly Json[];
  readonly chargerConfigurations: readonly Json[];
}

function chargerAsV1(answer: unknown): Json {
  const charger = answer as Json & ChargerParts;
  return {
    chargerId: charger['chargerId'],
    chargerName: charger['name'],
    firmwareVersion: charger['firmware'],
    manufacturer: charger['manufacturer'],
    serialNumber: charger['serial'],
    chargerModel: charger['model'],
    amountOfSockets: charger.sockets.length,
    lastSeen: charger['lastSeen'] ?? '',
    lastMessage: charger['lastMessage'],
    activeConnection: charger['activeConnection'],
    locationInfo: Object.fromEntries(Object.entries(charger.location).filter(([, value]) => value !== null)),
    pushIntegrationEnabled: charger['pushIntegrationEnabled'],
    chargerSpecificMessageStructure: charger['chargerSpecificMessageStructure'],
    chargerConfigurations: charger.chargerConfigurations.map(({ configName, configValue, canBeChanged }) => ({
      configName,
      configValue,
      canBeChanged,
    })),
    sockets: charger.sockets.map(socketAsV1),
    groupId: charger['siteId'],
    groupName: charger['siteName'],
    chargerStatus: charger['state'],
    ocppVersion: charger['ocppVersion'] ?? '',
  };
}

function socketAsV1({ id, type, maxPower, status, name, errorCode, lastUpdated }: Json): Json {
  return {
    id,
    type,
    maxPower,
    status,
    ...(name === '' ? {} : { name }),
    ...(lastUpdated === null ? {} : { errorCode, lastUpdated }),
  };
}

function sessionAsV1(session: Json): Json {
  const { startTime, endTime, consumptionWh: wattHours, meterStop } = session;
  const hasEnded = typeof endTime === 'string';
  const minutes = hasEnded ? (Date.parse(endTime) - Date.parse(String(startTime))) / 60_000 : 0;
  return {
    transactionId: session['transactionId'],
    chargerId: session['chargerId'],
    socketId: session['socketId'],
    rfidTag: session['rfidTag'],
    startTimeUTC: startTime,
    endTimeUTC: endTime ?? '',
    meterStart: session['meterStart'],
    ...(hasEnded && { meterStop, consumptionWH: wattHours, consumptionKWH: Number(wattHours) / 1000 }),
    ...(hasEnded && { transactionLengthMinutes: Math.round(minutes * 100) / 100 }),
    stopReason: session['stopReason'] ?? '',
    groupId: session['siteId'],
    groupName: session['siteName'],
  };
}

function statisticsAsV1(answer: unknown): Json {
  const numbers = answer as Json;
  return {
    groups: numbers['sites'],
    chargers: numbers['chargers'],
    connectedChargers: numbers['connectedChargers'],
    sockets: numbers['sockets'],
    socketsByStatus: numbers['socketsByState'],
    transactionsInProgress: numbers['sessionsInProgress'],
    transactionsToday: numbers['sessionsToday'],
    energyTodayWh: numbers['energyTodayWh'],
  };
}

function shortOfSite(answer: unknown): Json {
  const { id, name, groupType, externalId, numberOfChargers, numberOfSubsites } = answer as Json;
  return { id, name, groupType, externalId: externalId ?? '', numberOfChargers, numberOfSubsites };
}

function shortOfNode(answer: unknown): Json {
  const { id, name, groupType, externalId, chargers, subgroups } = answer as Node;
  return { id, name, groupType, externalId, numberOfChargers: chargers.length, numberOfSubsites: subgroups.length };
}

/** Each with its parent, by id. */
function flattened(nodes: readonly Node[], parent: number | null): (readonly [Node, number | null])[] {
  return nodes
    .flatMap((node) => [[node, parent] as const, ...flattened(node.subgroups, node.id)])
    .sort(([a], [b]) => a.id - b.id);
}
