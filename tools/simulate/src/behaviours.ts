// The behaviour of chargers of their own accord, beside the service's commands.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Charger } from './charger/charger';
import { socketOf } from './charger/charger-state';
import type { StartRequest } from './charger/sessions';
import type { Behaviour } from './options';

export interface Stage {
  readonly chargers: readonly Charger[];
  readonly onFailure: (chargerId: string, reason: string) => void;
  readonly stop: AbortSignal;
}

/** At least so many new connections a second, so that a start is no storm unless one is asked for. */
const START_PER_SECOND = 100;
const REST_MS = 20_000;
const SESSION_MS = { min: 30_000, max: 90_000 };
/** By the clock, so that all chargers reconnect at the same moment. */
const STORM_EVERY_MS = 15_000;

const TAG_COUNT = { min: 10, max: 1000 };

/** The tags of simulated drivers: one for each socket, within bounds. `--register` creates them. */
export function driverTags(sockets: number): string[] {
  const length = Math.min(TAG_COUNT.max, Math.max(TAG_COUNT.min, sockets));
  return Array.from({ length }, (_, i) => `SIMTAG${String(i + 1)}`);
}

/** Connects the chargers and keeps them busy. Resolves after the stop. */
export async function behave(behaviour: Behaviour, stage: Stage): Promise<void> {
  const { chargers, stop } = stage;
  const spreadMs = behaviour === 'storm' ? 0 : (chargers.length / START_PER_SECOND) * 1000;
  const tags = driverTags(chargers.reduce((sum, { state }) => sum + state.sockets.length, 0));
  const lives = chargers.map(async (charger) => {
    await pause(Math.random() * spreadMs, stop);
    if (stop.aborted) return;
    charger.start();
    if (behaviour === 'day') await Promise.all(charger.state.sockets.map(({ id }) => drive(stage, tags, charger, id)));
  });
  if (behaviour === 'storm') lives.push(storm(stage));
  await Promise.all(lives);
}

/** Drivers come and go at one socket. A tag has one session at a time, so that a driver without a free one waits. */
async function drive(stage: Stage, tags: string[], charger: Charger, socketId: number): Promise<void> {
  while (await pause(Math.random() * REST_MS, stage.stop)) {
    const idTag = charger.isOnline() ? tags.shift() : undefined;
    if (idTag === undefined) continue;
    await charge(stage, charger, { socketId, idTag });
    tags.push(idTag);
  }
}

async function charge({ onFailure, stop }: Stage, charger: Charger, request: StartRequest): Promise<void> {
  const outcome = await charger.sessions.start(request);
  const socket = socketOf(charger.state, request.socketId);
  const session = socket?.session;
  if ('issue' in outcome && outcome.refusedTag !== undefined) {
    const hint = outcome.refusedTag === 'Invalid' ? ': create the tag, or add --register' : '';
    onFailure(charger.chargerId, `${outcome.issue}${hint}`);
  }
  if ('issue' in outcome || socket === undefined || session === undefined) return;
  await pause(SESSION_MS.min + Math.random() * (SESSION_MS.max - SESSION_MS.min), stop);
  // The service may have stopped it, and begun another. At the end the program stops what is left.
  if (!stop.aborted && socket.session === session) charger.sessions.stop(socket, 'EVDisconnected', request.idTag);
  // Until the service knows the end, the tag is in use there.
  await charger.drained();
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
