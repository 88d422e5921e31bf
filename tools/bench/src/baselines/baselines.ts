// The baselines, measured anew beside each figure that is compared with them.
import { join } from 'node:path';
import { GRACE_MS, connectAll, withGenerator, type BenchContext } from '../measures/bench-context';
import { startChild } from '../processes/child';
import type { Resources } from '../processes/resources';
import type { Baseline } from '../rows';
import type { BareWsCommands } from './bare-ws-program';
import type { RabbitAloneCommands } from './rabbit-alone-program';

export interface BaselineOptions {
  readonly resources: Resources;
  readonly directory: string;
  readonly warmUpMs: number;
  readonly measureMs: number;
  /** The server that the product uses, where it uses one. */
  readonly rabbitUrl: string | undefined;
}

export interface Baselines {
  readonly beside: BenchContext['beside'];
}

const CHARGERS = 200;
/** The time for which a measurement after one figure also counts as measured before the next one. */
const FRESH_MS = 15_000;

/** Measures a baseline before and after each work, or once between two that follow each other at once. */
export function createBaselines(options: BaselineOptions): Baselines {
  let last: { readonly which: Baseline; readonly perSecond: number; readonly atMs: number } | undefined;

  async function measure(which: Baseline): Promise<number> {
    const perSecond = which === 'B1' ? await measureB1(options) : await measureB2(options);
    last = { which, perSecond, atMs: performance.now() };
    return perSecond;
  }

  return {
    async beside(which, work) {
      const isFresh = last?.which === which && performance.now() - last.atMs < FRESH_MS;
      const before = isFresh && last !== undefined ? last.perSecond : await measure(which);
      const value = await work();
      const after = await measure(which);
      return { value, readings: [before, after] };
    },
  };
}

/** B1: answers a second of a bare ws server under 200 chargers' Heartbeats. */
async function measureB1(options: BaselineOptions): Promise<number> {
  const { resources, directory, warmUpMs, measureMs } = options;
  const script = join(__dirname, 'bare-ws-program.js');
  const child = startChild<BareWsCommands>({ name: 'bare-ws', directory, script });
  const held = resources.hold(child, (each) => each.end());
  try {
    const port = await child.ask('start', null, GRACE_MS);
    return await withGenerator(options, async (ask) => {
      const ids = Array.from({ length: CHARGERS }, (_, n) => `B1_${String(n)}`);
      await connectAll(ask, { host: '127.0.0.1', port, secure: false }, { chargerIds: ids });
      const within = warmUpMs + measureMs + GRACE_MS;
      return (await ask('rate', { load: { version: 'ocpp1.6', action: 'Heartbeat' }, warmUpMs, measureMs }, within))
        .perSecond;
    });
  } finally {
    await held.release();
  }
}

/** B2: messages a second that RabbitMQ confirms and delivers, on the server that the product uses. */
async function measureB2(options: BaselineOptions): Promise<number> {
  const { resources, directory, warmUpMs, measureMs, rabbitUrl: url } = options;
  if (url === undefined) throw new Error('there is no RabbitMQ to measure');
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
