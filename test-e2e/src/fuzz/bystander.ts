// A charger that does everything right while others do everything wrong. It must notice nothing of them.
import { setTimeout as last } from 'node:timers/promises';
import { connect, type World } from '../harness/world';

export interface Bystander {
  /** CALLs that were answered so far. */
  answered(): number;
  /** Throws where a CALL was not answered with a result, or the connection ended. */
  check(): void;
  stop(): Promise<void>;
}

export async function startBystander(world: World, chargerId: string): Promise<Bystander> {
  const charger = await connect(world, chargerId);
  let answered = 0;
  let failure: Error | undefined;
  let isStopping = false;

  async function live(): Promise<void> {
    await charger.boot();
    for (let round = 0; !isStopping; round += 1) {
      await charger.heartbeat();
      await charger.status(1 + (round % 2), round % 4 < 2 ? 'Available' : 'Preparing');
      const started = await charger.start({ meterStart: round });
      await charger.stop({ transactionId: Number(started['transactionId']), meterStop: round + 1 });
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
