// What simulated chargers do once they are connected.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ScriptedCharger } from '@busbar/testing';
import type { Counts } from './counts';
import type { Scenario } from './options';

export interface Stage {
  readonly charger: ScriptedCharger;
  readonly counts: Counts;
  /** Aborted when the connection ends or the simulation stops. */
  readonly over: AbortSignal;
}

const SOCKETS = [1, 2];
const HEARTBEAT_S = 60;
/** A day in minutes: a session of an hour takes one here. */
const METER_EVERY_MS = 5_000;
const SAMPLES = 12;
const REST_MS = 20_000;
const POWER_W = 11_000;
/** Each sample stands for five minutes of charging. */
const WH_PER_SAMPLE = (POWER_W * 5) / 60;
/** By the clock, so that all chargers go at the same moment. */
const STORM_EVERY_MS = 15_000;

/** Boots, reports its status and runs the scenario. Resolves when the scenario or the connection ends. */
export async function playScenario(scenario: Scenario, stage: Stage): Promise<void> {
  const { charger, over } = stage;
  const { interval } = await counted(stage, charger.boot());
  for (const socket of [0, ...SOCKETS]) await counted(stage, charger.status(socket, 'Available'));
  if (scenario === 'storm') {
    await pause(STORM_EVERY_MS - (Date.now() % STORM_EVERY_MS), over);
    return;
  }
  const heartbeatS = typeof interval === 'number' && interval > 0 ? interval : HEARTBEAT_S;
  await Promise.all([
    beat(stage, heartbeatS),
    ...(scenario === 'day' ? SOCKETS.map((socket) => sessions(stage, socket)) : []),
  ]);
}

async function beat(stage: Stage, everyS: number): Promise<void> {
  while (!stage.over.aborted) {
    if (await pause(everyS * 1000, stage.over)) await counted(stage, stage.charger.heartbeat());
  }
}

async function sessions(stage: Stage, connectorId: number): Promise<void> {
  let meter = 0;
  while (!stage.over.aborted) {
    if (await pause(Math.random() * REST_MS, stage.over)) meter = await session(stage, connectorId, meter);
  }
}

/** From plugging in to unplugging. The tag's standing does not matter: what is simulated is traffic. */
async function session(stage: Stage, connectorId: number, meterStart: number): Promise<number> {
  const { charger, counts, over } = stage;
  const idTag = `SIMTAG${String(1 + Math.floor(Math.random() * 100))}`;
  await counted(stage, charger.status(connectorId, 'Preparing'));
  await counted(stage, charger.authorize(idTag));
  const started = await counted(stage, charger.start({ connectorId, idTag, meterStart: Math.round(meterStart) }));
  const transactionId = Number(started['transactionId']);
  await counted(stage, charger.status(connectorId, 'Charging'));
  let meter = meterStart;
  for (let i = 0; i < SAMPLES && !over.aborted; i += 1) {
    const isRunning = await pause(METER_EVERY_MS, over);
    meter += WH_PER_SAMPLE;
    counts.energyWh += WH_PER_SAMPLE;
    const energyWh = Math.round(meter);
    if (isRunning) await counted(stage, charger.meter({ connectorId, transactionId, energyWh, powerW: POWER_W }));
  }
  if (charger.closed() !== undefined) return meter;
  await counted(stage, charger.stop({ transactionId, meterStop: Math.round(meter), reason: 'EVDisconnected' }));
  await counted(stage, charger.status(connectorId, 'Finishing'));
  await counted(stage, charger.status(connectorId, 'Available'));
  counts.sessions += 1;
  return meter;
}

async function counted<T>({ counts }: Stage, call: Promise<T>): Promise<T> {
  try {
    const result = await call;
    counts.answered += 1;
    return result;
  } catch (error) {
    counts.unanswered += 1;
    throw error;
  }
}

/** True when the time passed, false when it was cut short. */
function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false);
}
