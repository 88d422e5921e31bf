// Chargers with the same history, so that the effects of a command on two of them can be compared.
import { eventually, type Payload, type ScriptedCharger } from '@busbar/testing';
import { connect, legacy, readV2, registerCharger, uniqueId, v2, type World } from '../harness/world';
import { byRole } from './parity';

/** A charger with one session that has ended, and one in progress at its second socket. */
export interface CommandTwin {
  readonly charger: string;
  readonly site: number;
  /** The transaction of another charger, which is connected too. */
  readonly foreign: number;
  readonly ended: number;
  readonly ongoing: number;
  /** That came of a command. */
  readonly begun?: number;
  /** Has the session that is in progress. */
  readonly busyTag: string;
  readonly goodTag: string;
  readonly blockedTag: string;
  readonly expiredTag: string;
  readonly futureTag: string;
  /** Nobody has these. */
  readonly unknownTag: string;
  readonly nobody: string;
}

/** A twin and the charger's end of its socket. */
export interface Connected {
  readonly twin: CommandTwin;
  readonly socket: ScriptedCharger;
}

/** A transaction of a charger that no twin is. */
export async function foreignTransaction(world: World): Promise<number> {
  const { chargerId } = await registerCharger(world);
  const socket = await connect(world, chargerId);
  await socket.boot();
  return transactionOf(await socket.start());
}

export async function makeCommandTwin(world: World, foreign: number): Promise<Connected> {
  const { chargerId, siteId } = await registerCharger(world, uniqueId('COMMAND'));
  const socket = await connect(world, chargerId);
  await socket.boot();
  for (const socketId of [1, 2]) await socket.status(socketId, 'Available');
  const tag = (over: object = {}) => makeTag(world, over);
  const [goodTag, busyTag] = [await tag(), await tag()];
  const ended = transactionOf(await socket.start({ connectorId: 1, idTag: goodTag }));
  await socket.stop({ transactionId: ended });
  const twin = {
    charger: chargerId,
    site: siteId,
    foreign,
    ended,
    goodTag,
    busyTag,
    ongoing: transactionOf(await socket.start({ connectorId: 2, idTag: busyTag })),
    blockedTag: await tag({ blocked: true }),
    expiredTag: await tag({ expiringDate: '2020-01-01T00:00:00.000Z' }),
    futureTag: await tag({ startDate: '2999-01-01T00:00:00.000Z' }),
    unknownTag: uniqueId('T'),
    nobody: uniqueId('NOBODY'),
  };
  // The requests after its boot end up in its record.
  await socket.waitForCall('GetConfiguration');
  await allStored(world, { twin, socket });
  return { twin, socket };
}

/** Resolves when all that the charger has sent is stored, and for a charger without a connection when its end is. */
export async function allStored(world: World, { twin, socket }: Connected): Promise<void> {
  // The answer to a decision is given when it and all before it are stored.
  if (socket.closed() === undefined) await socket.authorize(twin.goodTag);
  else await eventually(async () => !(await readV2(world, twin.charger)).activeConnection);
}

/** The actions that charger-state sends by itself, at any time. */
const ASKED_BY_ITSELF = new Set(['GetConfiguration', 'TriggerMessage']);

/** Returns the service's CALLs that commands caused, oldest first. */
export function commandsOf({ twin, socket }: Connected): unknown {
  const calls = socket.received.filter(({ action }) => !ASKED_BY_ITSELF.has(action));
  return calls.map(({ action, payload }) => [action, byRole(payload, twin)]);
}

/** All that can be read of a twin, in both APIs, ids and timestamps taken out. */
export async function shownOfCharger(world: World, twin: CommandTwin): Promise<unknown> {
  const path = `/chargers/${twin.charger}`;
  const search = { startTime: '2000-01-01T00:00:00Z', chargerIDs: [twin.charger] };
  const replies = await Promise.all([
    v2(world, path),
    v2(world, `${path}/configuration`),
    v2(world, `/sessions?chargerIds=${twin.charger}`),
    legacy(world, `/charger/${twin.charger}`),
    legacy(world, '/statistics/transactions', { method: 'POST', body: search }),
  ]);
  const log = await v2(world, `${path}/ocpp-logs`);
  const exchanges = (log.json as { items: { messageType: string }[] }).items;
  return [
    ...replies.map(({ status, json }) => [status, byRole(json, twin)]),
    byRole(
      exchanges.filter(({ messageType }) => !ASKED_BY_ITSELF.has(messageType)),
      twin,
    ),
  ];
}

async function makeTag(world: World, over: object): Promise<string> {
  const idTag = uniqueId('T');
  expect((await v2(world, '/tags', { method: 'POST', body: { idTag, ...over } })).status).toBe(200);
  return idTag;
}

/** The id that the charger received. */
export function transactionOf({ transactionId }: Payload): number {
  expect(transactionId).toBeGreaterThan(0);
  return Number(transactionId);
}
