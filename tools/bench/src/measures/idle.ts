import { setTimeout as sleep } from 'node:timers/promises';
import { residentBytesOf } from '../processes/usage';
import type { IdleGoal } from '../rows';
import { chargerIds } from '../worlds/registration';
import type { Running } from '../worlds/world';
import { connectAll, GRACE_MS, withGenerator, type BenchContext } from './bench-context';
import { figure, type Measurement } from './measurement';

/** After the last upgrade, for what it left to do. */
const SETTLE_MS = 3_000;
const CONNECT_MS = 120_000;
const KB = 1024;

interface Memory {
  /** The memory that each connection holds: read after a collection of garbage, before and after. */
  readonly heldKb: number;
  /** The same as it is found, with garbage that nothing made the process collect. */
  readonly foundKb: number;
}

/** Measures the resident memory that the gateway's process needs for each connected, idle charger. */
export async function measureIdle(context: BenchContext, goal: IdleGoal): Promise<Measurement> {
  const plain = await measure(context, goal, 'plain');
  const tls = await measure(context, goal, 'secure');
  const worst = Math.max(plain.heldKb / goal.plainKb, tls.heldKb / goal.tlsKb);
  const shown = `${figure(plain.heldKb)} KB plain, ${figure(tls.heldKb)} KB TLS`;
  return {
    headline: `${shown} a charger`,
    beside: [],
    shown,
    isMet: worst <= 1,
    counts: true,
    merit: -worst,
    remarks: [`with garbage not yet collected ${figure(plain.foundKb)} KB plain, ${figure(tls.foundKb)} KB TLS`],
    details: { plain, tls },
  };
}

/** In a process that was just started: memory that an earlier load left free would hide what this one takes. */
async function measure(context: BenchContext, goal: IdleGoal, port: 'plain' | 'secure'): Promise<Memory> {
  await context.world.restart();
  const running = context.world.running();
  return withGenerator(context, async (ask) => {
    await sleep(SETTLE_MS);
    const before = await read(running);
    await connectAll(ask, running[port], { chargerIds: chargerIds(goal.chargers) }, CONNECT_MS);
    await sleep(SETTLE_MS);
    const after = await read(running);
    const open = await ask('countOpen', null, GRACE_MS);
    if (open !== goal.chargers) throw new Error(`only ${figure(open)} chargers stayed connected`);
    const each = (bytes: number): number => bytes / goal.chargers / KB;
    return { heldKb: each(after.held - before.held), foundKb: each(after.found - before.found) };
  });
}

async function read({ gateway }: Running): Promise<{ found: number; held: number }> {
  const found = resident(gateway.pid);
  await gateway.ask('collectGarbage', null, GRACE_MS);
  return { found, held: resident(gateway.pid) };
}

function resident(pid: number): number {
  const bytes = residentBytesOf(pid);
  if (bytes === undefined) throw new Error('the memory of a process is read from /proc, which this machine has not');
  return bytes;
}
