// Reads the records all the time while something breaks: what must never be seen is over when the account is made up.
import { setTimeout as last } from 'node:timers/promises';
import { eventually } from '@busbar/testing';
import type { Api, Fleet, V2Record } from './fleet';
import type { FleetCharger } from './fleet-charger';

export interface RecordWatch {
  /**
   * Resolves when every charger is shown connected. From then on each that keeps its socket must be shown so whenever its
   * record can be read.
   */
  holdSteady(): Promise<void>;
  /** The number that still have the connection that they had then. */
  steady(): number;
  /** Stops reading, and gives what was seen that must not be. */
  stop(): Promise<readonly string[]>;
}

/** Between two records: asking more would be a load of its own. */
const LOOK_MS = 50;
/** A socket that ended is known to have ended by both its sides after this, whichever ended it. */
const KNOWN_MS = 1_000;

/**
 * The number in the last message's id never goes down, since a charger counts its messages and they are applied in the order
 * received; and, once wanted, nobody who keeps its socket is shown disconnected.
 */
export function watchRecords(api: Api, { chargers }: Fleet): RecordWatch {
  const seen = new Map<string, number>();
  /** The number in `changes` of the connection that each had when it was shown connected. */
  const held = new Map<FleetCharger, number>();
  const wrong: string[] = [];
  const judged: Promise<void>[] = [];
  let stopped = false;
  const isStopped = (): boolean => stopped;
  const isSteady = (charger: FleetCharger): boolean => charger.isOpen() && held.get(charger) === charger.changes();

  function judgeOrder({ chargerId }: FleetCharger, record: V2Record): void {
    const number = numberOf(record.lastMessage ?? '');
    if (number === undefined) return;
    const before = seen.get(chargerId) ?? 0;
    if (number < before) wrong.push(`${chargerId} went from message ${String(before)} to ${String(number)}`);
    seen.set(chargerId, Math.max(before, number));
  }

  async function judgeConnection(charger: FleetCharger): Promise<void> {
    const at = new Date().toISOString();
    await last(KNOWN_MS);
    if (isSteady(charger)) wrong.push(`${charger.chargerId} kept its socket and was shown disconnected at ${at}`);
  }

  async function run(): Promise<void> {
    while (!isStopped()) {
      for (const charger of chargers) {
        if (isStopped()) return;
        const record = await api.read(charger.chargerId).catch(() => undefined);
        if (record !== undefined) {
          judgeOrder(charger, record);
          if (!record.activeConnection && isSteady(charger)) judged.push(judgeConnection(charger));
        }
        await last(LOOK_MS);
      }
    }
  }
  const running = run();

  return {
    async holdSteady() {
      await eventually(async () => {
        for (const charger of chargers.filter((each) => !isSteady(each))) {
          const changes = charger.changes();
          if ((await api.read(charger.chargerId))?.activeConnection === true) held.set(charger, changes);
        }
        return chargers.every(isSteady);
      });
    },
    steady: () => chargers.filter(isSteady).length,
    async stop() {
      stopped = true;
      await running;
      await Promise.all(judged);
      return wrong;
    },
  };
}

/** Out of `[2,"charger:number",…`; answers to our own CALLs have other ids. */
function numberOf(lastMessage: string): number | undefined {
  const number = /^\[2,"[^":]*:(\d+)"/.exec(lastMessage)?.[1];
  return number === undefined ? undefined : Number(number);
}
