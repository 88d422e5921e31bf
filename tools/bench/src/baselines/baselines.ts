// The baselines, measured anew beside each figure that is held against them.
import { join } from 'node:path';
import { GRACE_MS, connectAll, withGenerator } from '../measures/bench-context';
import { startChild } from '../processes/child';
import type { Resources } from '../processes/resources';
import type { BareWsCommands } from './bare-ws-program';
import type { RabbitAloneCommands } from './rabbit-alone-program';

export interface BaselineOptions {
  readonly resources: Resources;
  readonly directory: string;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

const CHARGERS = 200;

/** B1: answers a second of a bare ws server under 200 chargers' Heartbeats. */
export async function measureB1(options: BaselineOptions): Promise<number> {
  const { resources, directory, warmUpMs, measureMs } = options;
  const script = join(__dirname, 'bare-ws-program.js');
  const child = startChild<BareWsCommands>({ name: 'bare-ws', directory, script });
  const held = resources.hold(child, (each) => each.end());
  try {
    const port = await child.ask('start', null, GRACE_MS);
    return await withGenerator(options, async (ask) => {
      const ids = Array.from({ length: CHARGERS }, (_, n) => `B1_${String(n)}`);
      await connectAll(ask, { host: '127.0.0.1', port, secure: false }, ids);
      const within = warmUpMs + measureMs + GRACE_MS;
      return (await ask('rate', { action: 'Heartbeat', warmUpMs, measureMs }, within)).perSecond;
    });
  } finally {
    await held.release();
  }
}

/** B2: messages a second that RabbitMQ confirms and delivers, on the server that the product uses. */
export async function measureB2(options: BaselineOptions, url: string): Promise<number> {
  const { resources, directory, warmUpMs, measureMs } = options;
  const script = join(__dirname, 'rabbit-alone-program.js');
  const child = startChild<RabbitAloneCommands>({ name: 'rabbit-alone', directory, script });
  const held = resources.hold(child, (each) => each.end());
  try {
    const within = warmUpMs + measureMs + GRACE_MS;
    return (await child.ask('run', { url, warmUpMs, measureMs }, within)).perSecond;
  } finally {
    await held.release();
  }
}
