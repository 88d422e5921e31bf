// What chargers do of themselves, beside obeying the service.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Charger } from './charger/charger';
import { socketOf } from './charger/charger-state';
import type { Behaviour } from './options';

export interface Stage {
  readonly chargers: readonly Charger[];
  readonly onFailure: (chargerId: string, reason: string) => void;
  readonly stop: AbortSignal;
}

/** At least so many new connections a second, so that a start is no storm unless one is asked for. */
const START_PER_SECOND = 100;
const REST_MS = 20_000;
const SESSION_MS = { least: 30_000, most: 90_000 };
/** By the clock, so that all chargers reconnect at the same moment. */
const STORM_EVERY_MS = 15_000;

/** The tags of simulated drivers, which `--register` creates. */
export const TAGS: readonly string[] = Array.from({ length: 10 }, (_, i) => `SIMTAG${String(i + 1)}`);

/** Connects the chargers and keeps them busy. Resolves after the stop. */
export async function behave(behaviour: Behaviour, stage: Stage): Promise<void> {
  const { chargers, stop } = stage;
  const spreadMs = behaviour === 'storm' ? 0 : (chargers.length / START_PER_SECOND) * 1000;
  const lives = chargers.map(async (charger) => {
    await pause(Math.random() * spreadMs, stop);
    if (stop.aborted) return;
    charger.start();
    if (behaviour === 'day') await Promise.all(charger.state.sockets.map(({ id }) => drive(stage, charger, id)));
  });
  if (behaviour === 'storm') lives.push(storm(stage));
  await Promise.all(lives);
}

/** Drivers come and go at one socket. */
async function drive({ onFailure, stop }: Stage, charger: Charger, socketId: number): Promise<void> {
  while (await pause(Math.random() * REST_MS, stop)) {
    if (!charger.isOnline()) continue;
    const idTag = TAGS[Math.floor(Math.random() * TAGS.length)] ?? '';
    const outcome = await charger.sessions.start({ socketId, idTag });
    const socket = socketOf(charger.state, socketId);
    const session = socket?.session;
    if ('issue' in outcome && outcome.isTagRefused) {
      onFailure(charger.chargerId, `${outcome.issue}: create it, or add --register`);
    }
    if ('issue' in outcome || socket === undefined || session === undefined) continue;
    await pause(SESSION_MS.least + Math.random() * (SESSION_MS.most - SESSION_MS.least), stop);
    // The service may have stopped it, and begun another. At the end the program stops what is left.
    if (!stop.aborted && socket.session === session) charger.sessions.stop(socket, 'EVDisconnected', idTag);
  }
}

/** The power is cut for all at once, without a close frame. */
async function storm({ chargers, stop }: Stage): Promise<void> {
  while (await pause(STORM_EVERY_MS - (Date.now() % STORM_EVERY_MS), stop)) {
    for (const charger of chargers) void charger.restart({ waitMs: 0, isCut: true });
  }
}

/** True when the time passed, false when it was cut short. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}
