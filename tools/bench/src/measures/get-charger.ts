import { join } from 'node:path';
import type { BareExpressCommands } from '../baselines/bare-express-program';
import type { HttpsInput, HttpsResult } from '../load/https-load';
import type { LoadCommands } from '../load/load-generator';
import { connectHttps, getRequest } from '../load/https-client';
import type { Target } from '../load/charger-socket';
import { startChild } from '../processes/child';
import type { Ask } from '../processes/commands';
import type { GetGoal } from '../rows';
import { chargerIds } from '../worlds/registration';
import type { World } from '../worlds/world';
import { GRACE_MS, withCpu, withGenerator, type BenchContext } from './bench-context';
import { figure, meanOf, ratioOf, type Measurement } from './measurement';

const CONNECTIONS = 32;

interface Question {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Reads of one charger a second, by the v2 and by the v1 interface, against express with its answer at hand. */
export async function measureGetCharger(context: BenchContext, goal: GetGoal): Promise<Measurement> {
  const { world } = context;
  const { v2, legacy, pids } = world.running();
  const questions = questionsOf(world);
  const records = {
    [pathOf(questions.v2)]: await recordAt(v2, questions.v2),
    [pathOf(questions.legacy)]: await recordAt(legacy, questions.legacy),
  };
  return withBareExpress(context, records, (bare) =>
    withGenerator(context, async (ask) => {
      const load = (target: Target, question: Question) => run(context, ask, { target, ...question });
      // Before and after, since machines change from minute to minute.
      const first = await load(bare, questions.v2);
      const { value: v2Result, cpu } = await withCpu(pids, () => context.profiled(() => load(v2, questions.v2)));
      const v1Result = await load(legacy, questions.legacy);
      const last = await load(bare, questions.legacy);
      const readings = [first.perSecond, last.perSecond];
      const baseline = meanOf(readings);
      const ratios = [ratioOf(v2Result.perSecond, baseline), ratioOf(v1Result.perSecond, baseline)];
      const worst = Math.min(...ratios);
      const failed = v2Result.failed + v1Result.failed + first.failed + last.failed;
      return {
        headline: `v2 ${figure(v2Result.perSecond)}/s, v1 ${figure(v1Result.perSecond)}/s`,
        beside: [`p50 ${figure(v2Result.p50Ms)} ms`, `p99 ${figure(v2Result.p99Ms)} ms`],
        baseline: { name: 'bare express', perSecond: readings },
        shown: `${ratios.map((ratio) => ratio.toFixed(2)).join(' and ')} of bare express`,
        isMet: failed === 0 && worst >= goal.ratio,
        counts: failed === 0,
        merit: worst,
        remarks: [
          `v2 ${describe(v2Result)}; api ${describe(v1Result)}; bare express ${figure(first.perSecond)}/s and ${figure(last.perSecond)}/s`,
          ...(failed > 0 ? [`does not count: ${figure(failed)} answers were not 200`] : []),
        ],
        details: { v2: v2Result, v1: v1Result, bare: [first, last], cpu },
      };
    }),
  );
}

function questionsOf({ apiKey, clientId }: World): { readonly v2: Question; readonly legacy: Question } {
  const id = chargerIds(1)[0] ?? '';
  const query = new URLSearchParams({ code: apiKey, clientId });
  return {
    v2: { path: `/v2/chargers/${id}`, headers: { 'x-api-key': apiKey } },
    legacy: { path: `/api/charger/${id}?${query.toString()}`, headers: {} },
  };
}

function pathOf({ path }: Question): string {
  return path.split('?', 1)[0] ?? path;
}

async function recordAt(target: Target, { path, headers }: Question): Promise<unknown> {
  const connection = await connectHttps(target);
  try {
    const { status, body } = await connection.exchange(getRequest(target, path, headers));
    if (status !== 200) throw new Error(`GET ${path.split('?', 1)[0] ?? ''} got ${String(status)}`);
    return JSON.parse(body) as unknown;
  } finally {
    connection.destroy();
  }
}

/** With the product's own certificate. */
async function withBareExpress<T>(
  { resources, directory, world }: BenchContext,
  records: Readonly<Record<string, unknown>>,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const script = join(__dirname, '../baselines/bare-express-program.js');
  const child = startChild<BareExpressCommands>({ name: 'bare-express', directory, script });
  const held = resources.hold(child, (each) => each.end());
  try {
    const port = await child.ask('start', { ...world.certificate, records }, GRACE_MS);
    return await work({ host: '127.0.0.1', port, secure: true });
  } finally {
    await held.release();
  }
}

function run(
  { warmUpMs, measureMs }: BenchContext,
  ask: Ask<LoadCommands>,
  input: Pick<HttpsInput, 'target' | 'path' | 'headers'>,
): Promise<HttpsResult> {
  const within = warmUpMs + measureMs + GRACE_MS;
  return ask('https', { ...input, connections: CONNECTIONS, warmUpMs, measureMs }, within);
}

function describe({ perSecond, p50Ms, p99Ms }: HttpsResult): string {
  return `${figure(perSecond)}/s, p50 ${figure(p50Ms)} ms, p99 ${figure(p99Ms)} ms`;
}
