// Webhooks: how many events are delivered a second, and what one slow receiver costs the others.
import { setTimeout as sleep } from 'node:timers/promises';
import { newClient } from '@busbar/testing';
import { STATUSES } from '../load/rate-load';
import type { Counted, ReceiverCommands } from '../load/receivers';
import type { Ask } from '../processes/commands';
import type { DeliveriesGoal, SlowReceiverGoal } from '../rows';
import { chargerIds, registerThese, withApi, type Send } from '../worlds/registration';
import type { World } from '../worlds/world';
import {
  connectAll,
  GRACE_MS,
  processorsOf,
  untilQuiet,
  withChild,
  withCpu,
  withGenerator,
  type BenchContext,
} from './bench-context';
import { figure, type Measurement } from './measurement';

const RECEIVERS = 10;
const ANSWER_AFTER_MS = 5;
const MAX_IN_FLIGHT = 32;
/** The load that fills the feed, before the webhooks are there: more than is delivered in the measured time. */
const FILL_MS = 2_000;
const POLL_MS = 50;

/** Ten receivers that answer after 5 ms get what is in the feed already, so that nothing but push limits it. */
export async function measureDeliveries(context: BenchContext, goal: DeliveriesGoal): Promise<Measurement> {
  const { world, warmUpMs, measureMs } = context;
  const running = world.running();
  return withGenerator(context, (ask) =>
    withChild<ReceiverCommands, Measurement>(context, 'receivers', ({ ask: receive }) =>
      withApi(world, world.apiKey, async (send) => {
        const urls = await receive('open', { count: RECEIVERS, delayMs: ANSWER_AFTER_MS }, GRACE_MS);
        const { cursor } = (await send('GET', '/v2/events?after=now')) as { readonly cursor: string };
        await connectAll(ask, running.plain, { chargerIds: chargerIds(goal.chargers) });
        const load = { load: STATUSES, warmUpMs: 0, measureMs: FILL_MS } as const;
        const { answered } = await ask('rate', load, FILL_MS + GRACE_MS);
        await untilQuiet(running);
        const common = { types: ['socket.state_reported'], maxInFlight: MAX_IN_FLIGHT, startAt: cursor };
        return withWebhooks(
          send,
          urls.map((url) => ({ ...common, url })),
          async () => {
            await untilDelivered(receive, 1);
            await sleep(warmUpMs);
            await receive('reset', null, GRACE_MS);
            const { value, cpu } = await withCpu(running.pids, () =>
              context.profiled(async () => {
                await sleep(measureMs);
                return receive('counted', null, GRACE_MS);
              }),
            );
            const perSecond = value.deliveries / (measureMs / 1000);
            const counts = value.deliveries < answered * RECEIVERS;
            return {
              headline: `${figure(perSecond)}/s`,
              beside: [],
              shown: `${figure(perSecond)}/s`,
              isMet: counts && perSecond >= goal.perSecond,
              counts,
              merit: perSecond,
              remarks: [
                `${figure(perSecond)} deliveries/s of ${figure(answered)} events to each of ${String(RECEIVERS)}${processorsOf(cpu)}`,
              ],
              details: { perSecond, answered, cpu },
            };
          },
        );
      }),
    ),
  );
}

const SLOW_MS = 14_000;
const CLIENTS = 7;
/** Of a client; 16 are allowed. */
const WEBHOOKS_OF_ONE = 15;
const WEBHOOKS = 100;
/** Events a second of all webhooks together. */
const PACE = 400;

/** A hundred webhooks, one of which answers after 14 s from the second half on: what becomes of the others' p99. */
export async function measureSlowReceiver(context: BenchContext, goal: SlowReceiverGoal): Promise<Measurement> {
  const { world, measureMs } = context;
  const running = world.running();
  const marker = String(Date.now());
  return withGenerator(context, (ask) =>
    withChild<ReceiverCommands, Measurement>(context, 'receivers', async ({ ask: receive }) => {
      const urls = await receive('open', { count: WEBHOOKS, delayMs: 0 }, GRACE_MS);
      const ids = urls.map((_, n) => `HOOK_${marker}_${String(n)}`);
      const deletions = await subscribeClients(world, marker, { urls, ids });
      await connectAll(ask, running.plain, { chargerIds: ids });
      await untilDelivered(receive, WEBHOOKS);
      const half = (): Promise<Counted> => countWhile(context, { receive, ask });
      await half();
      const before = await half();
      await receive('slow', { index: 0, delayMs: SLOW_MS }, GRACE_MS);
      const after = await half();
      await ask('cut', null, GRACE_MS);
      // The next round is not beside these.
      for (const remove of deletions) await remove();
      const shiftMs = after.p99Ms - before.p99Ms;
      const counts = after.deliveries > 0.9 * PACE * (measureMs / 1000);
      return {
        headline: `p99 ${figure(before.p99Ms)} ms without, ${figure(after.p99Ms)} ms beside it`,
        beside: [],
        shown: `${shiftMs < 0 ? '-' : '+'}${figure(Math.abs(shiftMs))} ms`,
        isMet: counts && shiftMs < goal.shiftMs,
        counts,
        merit: -shiftMs,
        remarks: [
          `p50 ${figure(before.p50Ms)} ms, p99 ${figure(before.p99Ms)} ms without a slow one; p50 ${figure(after.p50Ms)} ms, p99 ${figure(after.p99Ms)} ms of the others beside it`,
        ],
        details: { before, after },
      };
    }),
  );
}

/** Registers the chargers with clients of their own, as many as may have so many webhooks. Each charger has one. */
async function subscribeClients(
  world: World,
  marker: string,
  { urls, ids }: { readonly urls: readonly string[]; readonly ids: readonly string[] },
): Promise<readonly (() => Promise<void>)[]> {
  const deletions: (() => Promise<void>)[] = [];
  for (let n = 0; n < CLIENTS; n += 1) {
    const [from, to] = [n * WEBHOOKS_OF_ONE, (n + 1) * WEBHOOKS_OF_ONE];
    const { apiKey } = await newClient(world.storeUrl, `Bench ${marker} ${String(n)}`);
    await registerThese(world, ids.slice(from, to), apiKey);
    const hookIds: string[] = [];
    await withApi(world, apiKey, async (send) => {
      for (const [i, url] of urls.slice(from, to).entries()) {
        const body = { url, types: ['*', 'socket.state_reported'], chargerIds: [ids[from + i] ?? ''] };
        hookIds.push(((await send('POST', '/v2/webhooks', body)) as { readonly id: string }).id);
      }
    });
    deletions.push(() =>
      withApi(world, apiKey, async (send) => {
        for (const id of hookIds) await send('DELETE', `/v2/webhooks/${id}`);
      }),
    );
  }
  return deletions;
}

interface Asks {
  readonly receive: Ask<ReceiverCommands>;
  readonly ask: Parameters<typeof connectAll>[0];
}

async function countWhile({ measureMs }: BenchContext, { receive, ask }: Asks): Promise<Counted> {
  await receive('reset', null, GRACE_MS);
  await ask('paced', { perSecond: PACE, forMs: measureMs }, measureMs + GRACE_MS);
  return receive('counted', null, GRACE_MS);
}

/** Makes webhooks for as long as `work` takes. */
async function withWebhooks<T>(send: Send, bodies: readonly object[], work: () => Promise<T>): Promise<T> {
  const ids: string[] = [];
  try {
    for (const body of bodies) ids.push(((await send('POST', '/v2/webhooks', body)) as { readonly id: string }).id);
    return await work();
  } finally {
    for (const id of ids) await send('DELETE', `/v2/webhooks/${id}`);
  }
}

async function untilDelivered(receive: Ask<ReceiverCommands>, count: number): Promise<void> {
  const end = Date.now() + GRACE_MS;
  while ((await receive('counted', null, GRACE_MS)).deliveries < count) {
    if (Date.now() > end) throw new Error('nothing is delivered');
    await sleep(POLL_MS);
  }
}
