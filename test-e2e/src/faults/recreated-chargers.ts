// A charger is deleted and created again while its reports are under way: what was said of the one that is gone stays out of
// the record of its successor, and what the successor says is all there.
import { createId } from '@busbar/core';
import { connectCharger, eventually, type ScriptedCharger } from '@busbar/testing';
import type { FaultWorld } from './network-episodes';
import type { Random } from './random';
import { rowsOfCharger } from './stored';

const WITHIN_MS = 60_000;
const MESSAGES = 20;

/** Rejects when a record has anything of its predecessor, lacks anything of its own, or an old socket stays open. */
export async function recreatedChargers(world: FaultWorld, random: Random, rounds: number): Promise<void> {
  const siteId = await world.api.makeSite();
  for (let round = 0; round < rounds; round += 1) {
    const chargerId = `R_${createId().slice(-10)}_${String(round)}`;
    await world.api.register(chargerId, siteId);
    const old = await connect(world, random, chargerId);
    await speak(old, 'old', MESSAGES);
    const again = async (): Promise<void> => {
      await world.api.remove(chargerId);
      await world.api.register(chargerId, siteId);
    };
    // Every second time with a backlog: what waits in the queue is of a charger that is gone when it is taken.
    const speaking = round % 2 === 1 ? await withBacklog(world, old, again) : await whileSpeaking(old, again);
    await eventually(() => old.closed() !== undefined, WITHIN_MS);
    await speaking.ended;
    const fresh = await connect(world, random, chargerId);
    await speak(fresh, 'new', MESSAGES);
    await recordIsOnlyOf(world, chargerId);
    await fresh.close();
    await eventually(async () => (await world.api.read(chargerId))?.activeConnection === false, WITHIN_MS);
  }
}

/** In an object, so that it is not waited for by who waits for the rest. */
interface Speaking {
  readonly ended: Promise<void>;
}

async function whileSpeaking(old: ScriptedCharger, again: () => Promise<void>): Promise<Speaking> {
  const ended = speakUntilClosed(old);
  await again();
  return { ended };
}

/** Whoever would apply the reports, or learn that a gateway goes on under a new id, stands still meanwhile. */
async function withBacklog(
  { network }: FaultWorld,
  old: ScriptedCharger,
  again: () => Promise<void>,
): Promise<Speaking> {
  for (const node of network.replicas) node.program().signal('SIGSTOP');
  try {
    await speak(old, 'late', MESSAGES);
    return await whileSpeaking(old, again);
  } finally {
    for (const node of network.replicas) node.program().signal('SIGCONT');
  }
}

function connect({ network }: FaultWorld, random: Random, chargerId: string): Promise<ScriptedCharger> {
  return eventually(
    () => connectCharger({ url: `${random.pick(network.chargerAddresses())}${chargerId}`, callTimeoutMs: 13_000 }),
    WITHIN_MS,
  );
}

async function speak(charger: ScriptedCharger, who: string, messages: number): Promise<void> {
  for (let n = 0; n < messages; n += 1) {
    const outcome = await sayStatus(charger, `${who}:${String(n)}`);
    if (outcome.kind !== 'result') throw new Error(`${who} ${String(n)} was answered with ${outcome.code}`);
  }
}

/** Whatever is answered: the charger does not know that it is gone. */
async function speakUntilClosed(charger: ScriptedCharger): Promise<void> {
  for (let n = 0; charger.closed() === undefined; n += 1) {
    await sayStatus(charger, `last:${String(n)}`).catch(() => undefined);
  }
}

function sayStatus(charger: ScriptedCharger, messageId: string) {
  const payload = {
    ...{ connectorId: 1, errorCode: 'NoError', status: 'Available', timestamp: new Date().toISOString() },
    // What has the same time and content is the same fact, whatever its message id: each is another one.
    info: messageId,
  };
  return charger.call('StatusNotification', payload, messageId);
}

async function recordIsOnlyOf({ api, withStore }: FaultWorld, chargerId: string): Promise<void> {
  const expected = Array.from({ length: MESSAGES }, (_, n) => `new:${String(n)}`);
  await eventually(async () => {
    const rows = await withStore((store) => rowsOfCharger(store, chargerId));
    const own = rows.log
      .filter(({ incarnationId }) => incarnationId === rows.incarnationId)
      .map(({ messageId }) => messageId);
    if (own.toSorted().join() !== expected.toSorted().join()) throw new Error(`its log has ${own.join()}`);
    if (rows.states.length !== MESSAGES) throw new Error(`states of the new one are there of ${rows.states.join()}`);
    const record = await api.read(chargerId);
    return record?.activeConnection === true && record.lastMessage?.includes(expected.at(-1) ?? '');
  }, WITHIN_MS);
}
