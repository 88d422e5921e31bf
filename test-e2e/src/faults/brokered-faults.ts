// The faults of one process with a broker: the process, RabbitMQ, and the connections of both.
import { setTimeout as last } from 'node:timers/promises';
import type { BrokeredFaultWorld } from './brokered-world';
import { CUT_MS, cuts, endings, pauses, sparingGateways, stalls, type Fault } from './fault';
import { canKillRabbit, killTogether } from './faults';

export type BrokeredFault = Fault<BrokeredFaultWorld>;

/** Everything that is quick, in a row, for where there is time for one. */
export const ONE_AFTER_THE_OTHER: BrokeredFault = {
  name: 'SIGKILL of the process, then of RabbitMQ, and a cut between them',
  async run({ process, rabbit, broker }, random) {
    await process.end('SIGKILL');
    await process.start();
    await last(random.below(CUT_MS));
    await rabbit.restart();
    await last(random.below(CUT_MS));
    broker.cut();
    await last(random.below(CUT_MS));
    broker.heal();
  },
};

const OF_RABBIT: readonly BrokeredFault[] = [
  {
    name: 'SIGKILL of RabbitMQ and of the process at the same moment',
    run: ({ rabbit, process }) => killTogether(rabbit, process),
  },
  ONE_AFTER_THE_OTHER,
  ...sparingGateways<BrokeredFault>([
    { name: 'SIGKILL of RabbitMQ and its restart', run: ({ rabbit }) => rabbit.restart() },
    ...stalls<BrokeredFaultWorld>('RabbitMQ', ({ rabbit }) => rabbit),
    ...pauses<BrokeredFaultWorld>('RabbitMQ', ({ rabbit }) => rabbit),
  ]),
];

const OF_THE_PROCESS: readonly BrokeredFault[] = [
  ...endings<BrokeredFaultWorld>('the process', ({ process }) => process),
  ...pauses<BrokeredFaultWorld>('the process', ({ process }) => process),
  ...cuts<BrokeredFaultWorld>('the process and RabbitMQ', ({ broker }) => broker),
  ...cuts<BrokeredFaultWorld>('chargers and the process', ({ chargers }) => chargers),
];

/** Those that can be made here: a RabbitMQ that is only used is not killed. */
export function possibleBrokeredFaults(): readonly BrokeredFault[] {
  return canKillRabbit() ? [...OF_THE_PROCESS, ...OF_RABBIT] : OF_THE_PROCESS;
}
