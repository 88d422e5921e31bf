// The one process on a RabbitMQ: chargers are answered when that has confirmed, and the SQLite file follows.
import type { PrivateServer } from '@busbar/testing';
import { openEmbeddedFaultWorld, type EmbeddedFaultWorld } from './embedded-world';
import { untilQueuesAreOld, type Breakable, type Fault } from './fault';
import type { Random } from './random';
import { startProxyTo, through } from './tcp-proxy';

export interface BrokeredFaultWorld extends Pick<EmbeddedFaultWorld, 'process' | 'chargers'> {
  readonly rabbit: PrivateServer;
  /** The connections between it and RabbitMQ. */
  readonly broker: Breakable;
  /** An episode in which that breaks. */
  fault(fault: Fault<BrokeredFaultWorld>, random: Random): Promise<void>;
  stop(): Promise<void>;
}

export async function openBrokeredFaultWorld(rabbit: PrivateServer): Promise<BrokeredFaultWorld> {
  const broker = await startProxyTo(rabbit.url);
  const one = await openEmbeddedFaultWorld({ BROKER_URL: through(rabbit.url, broker) });
  const declared = Date.now();
  const world: BrokeredFaultWorld = {
    process: one.process,
    chargers: one.chargers,
    rabbit,
    broker,
    fault: (fault, random) =>
      one.fault(
        {
          name: fault.name,
          disconnectsNobody: fault.disconnectsNobody ?? false,
          async run() {
            await untilQueuesAreOld(declared);
            await fault.run(world, random);
          },
        },
        random,
      ),
    async stop() {
      await one.stop();
      await broker.stop();
    },
  };
  return world;
}
