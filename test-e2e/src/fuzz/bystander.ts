// A charger that does everything right while others do everything wrong. It must notice nothing of them.
import { setTimeout as last } from 'node:timers/promises';
import type { ScriptedCharger } from '@busbar/testing';
import { connect, type World } from '../harness/world';

export interface Bystander {
  /** CALLs that were answered so far. */
  answered(): number;
  /** Throws where a CALL was not answered with a result, or the connection ended. */
  check(): void;
  stop(): Promise<void>;
}

/** Connects it with this subprotocol, and makes it live. */
export async function startBystander(world: World, chargerId: string, version: string): Promise<Bystander> {
  const charger = await connect(world, chargerId, { subprotocols: [version] });
  const { boot, round: liveRound } = version === 'ocpp1.6' ? life16(charger) : life2(charger);
  let answered = 0;
  let failure: Error | undefined;
  let isStopping = false;

  async function live(): Promise<void> {
    await boot();
    for (let round = 0; !isStopping; round += 1) {
      await charger.heartbeat();
      await liveRound(round);
      answered += 4;
      await last(20);
    }
  }

  const living = live().catch((error: unknown) => {
    failure = error instanceof Error ? error : new Error(String(error));
  });
  return {
    answered: () => answered,
    check() {
      if (failure === undefined && charger.closed() === undefined) return;
      throw new Error('the well-behaved charger suffered', { cause: failure ?? charger.closed() });
    },
    async stop() {
      isStopping = true;
      await living;
      if (charger.closed() === undefined) await charger.close();
    },
  };
}

interface Life {
  boot(): Promise<unknown>;
  /** A status, the begin and the end of a session. */
  round(round: number): Promise<void>;
}

function life16(charger: ScriptedCharger): Life {
  return {
    boot: () => charger.boot(),
    async round(round) {
      await charger.status(1 + (round % 2), round % 4 < 2 ? 'Available' : 'Preparing');
      const started = await charger.start({ meterStart: round });
      await charger.stop({ transactionId: Number(started['transactionId']), meterStop: round + 1 });
    },
  };
}

function life2({ v2 }: ScriptedCharger): Life {
  return {
    boot: () => v2.boot(),
    async round(round) {
      await v2.status(1 + (round % 2), 1, round % 4 < 2 ? 'Available' : 'Occupied');
      const event = { transactionId: `T-${String(round)}`, evse: { id: 1, connectorId: 1 } };
      await v2.transaction({ ...event, eventType: 'Started', seqNo: 0, idToken: 'TAG', energyWh: round });
      await v2.transaction({ ...event, eventType: 'Ended', seqNo: 1, energyWh: round + 1 });
    },
  };
}
