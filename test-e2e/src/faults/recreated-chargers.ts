// A charger is deleted and created again while its reports are in flight: what was logged of the one that is gone stays out of
// the record of its successor, and all messages of the successor are stored.
import { createId } from '@busbar/core';
import { supportedVersions } from '@busbar/ocpp';
import { connectCharger, eventually, type ScriptedCharger } from '@busbar/testing';
import { createStampClock } from './charger-life';
import type { EpisodeWorld } from './episode';
import type { Random } from './random';
import { rowsOfCharger, type RowsOfCharger } from './stored';

const WITHIN_MS = 60_000;
const MESSAGES = 20;
/** CALLs at once of a charger that does not wait for answers: some are in flight whenever it is deleted. */
const UNDER_WAY = 5;
/** The messages of each once its id is its own. */
const OWN = Array.from({ length: MESSAGES }, (_, n) => `new:${String(n)}`);

/** Rejects when a record has anything of its predecessor, lacks anything of its own, or an old socket stays open. */
export async function recreatedChargers(world: EpisodeWorld, random: Random, rounds: number): Promise<void> {
  const { api } = world;
  const siteId = await eventually(() => api.makeSite());
  const chargerIds = Array.from({ length: rounds }, (_, round) => `R_${createId().slice(-10)}_${String(round)}`);
  for (const [round, chargerId] of chargerIds.entries()) {
    await api.register(chargerId, siteId);
    const version = random.pick(supportedVersions());
    const old = await connect(world, random, { chargerId, version });
    await speak(old, 'old');
    const again = async (): Promise<void> => {
      await api.remove(chargerId);
      await api.register(chargerId, siteId);
    };
    // Every second time with a backlog: what waits in the queue is of a charger that is gone when it is taken.
    const speaking = round % 2 === 1 ? await withBacklog(world, old, again) : await whileSpeaking(old, again);
    await eventually(() => old.closed() !== undefined, WITHIN_MS);
    await speaking.ended;
    const fresh = await connect(world, random, { chargerId, version });
    await speak(fresh, 'new');
    await eventually(async () => {
      const record = await api.read(chargerId);
      return record?.activeConnection === true && record.lastMessage?.includes(OWN.at(-1) ?? '');
    }, WITHIN_MS);
    await fresh.close();
    await eventually(async () => (await api.read(chargerId))?.activeConnection === false, WITHIN_MS);
  }
  await recordsAreOnlyOfTheNew(world, chargerIds);
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

/** Suspends the processes that would apply the reports, or learn that a gateway continues under a new id. */
async function withBacklog(
  { consumers }: EpisodeWorld,
  old: ScriptedCharger,
  again: () => Promise<void>,
): Promise<Speaking> {
  const paused = consumers();
  for (const consumer of paused) consumer.pause();
  try {
    await speak(old, 'late');
    return await whileSpeaking(old, again);
  } finally {
    for (const consumer of paused) consumer.resume();
  }
}

function connect(
  { addresses }: EpisodeWorld,
  random: Random,
  { chargerId, version }: { readonly chargerId: string; readonly version: string },
): Promise<ScriptedCharger> {
  return eventually(() => {
    const url = `${random.pick(addresses())}${chargerId}`;
    return connectCharger({ url, subprotocols: [version], callTimeoutMs: 13_000 });
  }, WITHIN_MS);
}

async function speak(charger: ScriptedCharger, who: string): Promise<void> {
  for (let n = 0; n < MESSAGES; n += 1) {
    const outcome = await sendStatus(charger, `${who}:${String(n)}`);
    if (outcome.kind !== 'result') throw new Error(`${who} ${String(n)} was answered with ${outcome.code}`);
  }
}

/** Accepts any answer: the charger does not know that its record is deleted. */
async function speakUntilClosed(charger: ScriptedCharger): Promise<void> {
  await Promise.all(
    Array.from({ length: UNDER_WAY }, async (_, line) => {
      for (let n = 0; charger.closed() === undefined; n += 1) {
        await sendStatus(charger, `last:${String(line)}:${String(n)}`).catch(() => undefined);
      }
    }),
  );
}

/** Two messages with the same time and content are the same fact, whatever their ids. So each has a time of its own. */
const now = createStampClock();

function sendStatus(charger: ScriptedCharger, messageId: string) {
  const own =
    charger.subprotocol === 'ocpp1.6'
      ? { errorCode: 'NoError', status: 'Available' }
      : { evseId: 1, connectorStatus: 'Available' };
  return charger.call('StatusNotification', { ...own, connectorId: 1, timestamp: now() }, messageId);
}

async function recordsAreOnlyOfTheNew({ withStore }: EpisodeWorld, chargerIds: readonly string[]): Promise<void> {
  let wrong: readonly string[] = [];
  await eventually(async () => {
    wrong = await withStore(async (store) =>
      (await Promise.all(chargerIds.map(async (id) => foreign(id, await rowsOfCharger(store, id))))).flat(),
    );
    return wrong.length === 0;
  }, WITHIN_MS).catch((error: unknown) => {
    if (wrong.length === 0) throw error;
  });
  expect(wrong.slice(0, 20)).toEqual([]);
}

/** Returns the rows that are not its own, or are missing. */
function foreign(chargerId: string, { incarnationId, log, states }: RowsOfCharger): string[] {
  const logged = log.filter((row) => row.incarnationId === incarnationId).map(({ messageId }) => messageId);
  return [
    ...(logged.toSorted().join() === OWN.toSorted().join() ? [] : [`${chargerId}: its log has ${logged.join()}`]),
    ...(states.length === MESSAGES ? [] : [`${chargerId}: states of the new one are there of ${states.join()}`]),
  ];
}
