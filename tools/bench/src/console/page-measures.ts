// The measurements in the browser, one function for each row of the table.
import { setTimeout as sleep } from 'node:timers/promises';
import { openChargerSocket, type ChargerSocket, type Target } from '../load/charger-socket';
import { createHistogram } from '../load/histogram';
import { curveSessionOf, chargerIdOf } from '../size/network';
import type { Scale } from '../size/scale';
import type { ConsoleRow } from './console-report';
import type { OpenedPage, Visitor, VisitorContext } from './visitor';

export interface PageWorld {
  readonly visitor: Visitor;
  /** Where chargers connect. */
  readonly chargers: Target;
  readonly scale: Scale;
  /** How often what is short is repeated. */
  readonly times: number;
  /** How long the page stays open for its memory. */
  readonly liveMinutes: number;
}

interface Scrolled {
  readonly frames: readonly number[];
  readonly rows: number;
  readonly longestTaskMs: number;
}

const MEGABYTE = 1_048_576;
const SCROLL_MS = 15_000;
const FRAME_MS = 50;
const TYPING_PAUSE_MS = 200;
const EVENTS_PER_SECOND = 200;
const CHARGERS_IN_SIGHT = 10;
const BETWEEN_CHANGES_MS = 250;
const SETTLE_MS = 1_000;
/** By each reader: one without the cache, and some with it. */
const VISITS = 4;

/** Until the first rows are painted. */
export async function firstVisits({ visitor, times }: PageWorld): Promise<ConsoleRow[]> {
  const [first, again] = [createHistogram(), createHistogram()];
  // The first round is also the first one of the service's files, and is not counted.
  for (let n = 0; n <= times; n += 1) {
    const [uncached = 0, ...cached] = await visitsOf(visitor);
    if (n === 0) continue;
    first.add(uncached);
    for (const ms of cached) again.add(ms);
  }
  const limits = ['first visit to the list of the fleet', 'the same with the cache'] as const;
  return [
    { what: limits[0], figure: first.quantile(0.5), unit: 'ms', goal: 1_500, detail: spread(first) },
    { what: limits[1], figure: again.quantile(0.5), unit: 'ms', goal: 600, detail: spread(again) },
  ];
}

/** The visits of one reader. */
async function visitsOf(visitor: Visitor): Promise<readonly number[]> {
  const context = await visitor.openBare();
  try {
    const visits: number[] = [];
    while (visits.length < VISITS) {
      visits.push(await context.visit('/', 'bench.firstRow'));
      // The browser still ends the page before.
      await sleep(SETTLE_MS);
    }
    return visits;
  } finally {
    await context.close();
  }
}

/** From the last key; the pause after which the page asks is part of it. */
export async function searches({ visitor, scale, times }: PageWorld): Promise<ConsoleRow[]> {
  return inContext(visitor, async (context) => {
    const { page } = await readyFleet(context);
    const found = createHistogram();
    const field = page.locator('main input[type="search"]');
    for (let n = 1; n <= times * 2; n += 1) {
      const id = chargerIdOf((n * 7_919) % scale.chargers);
      await field.fill(id);
      found.add(await page.evaluate<number>(`bench.found(${JSON.stringify(id)})`));
    }
    const figure = found.quantile(0.95) - TYPING_PAUSE_MS;
    return [{ what: 'search as typed, p95, after the pause', figure, unit: 'ms', goal: 300, detail: spread(found) }];
  });
}

export async function stateChanges(world: PageWorld): Promise<ConsoleRow[]> {
  return inContext(world.visitor, async (context) => {
    const { page } = await readyFleet(context);
    const [socket] = await connectInSight(page, world.chargers, 1);
    if (socket === undefined) throw new Error('the list has no charger');
    const seen = createHistogram();
    // The first one also changes what was stored, and is not counted.
    for (let n = 0; n <= world.times * 2; n += 1) {
      const sentAt = Date.now();
      report(socket, n);
      const at = await page.evaluate<number>(
        `bench.shows(${JSON.stringify([socket.chargerId, stateOf(n)]).slice(1, -1)})`,
      );
      if (n > 0) seen.add(at - sentAt);
      await sleep(n === 0 ? SETTLE_MS : BETWEEN_CHANGES_MS);
    }
    socket.destroy();
    const figure = seen.quantile(0.5);
    return [{ what: 'from a frame to the changed row, median', figure, unit: 'ms', goal: 300, detail: spread(seen) }];
  });
}

export async function scrolling({ visitor }: PageWorld): Promise<ConsoleRow[]> {
  return inContext(visitor, async (context) => {
    const { page } = await readyFleet(context);
    const { frames, rows, longestTaskMs } = await page.evaluate<Scrolled>(`bench.scroll(${String(SCROLL_MS)})`);
    const longest = Math.max(...frames);
    const over = frames.filter((ms) => ms > FRAME_MS).length;
    const detail = `${String(over)} of ${String(frames.length)} frames over ${String(FRAME_MS)} ms; longest task ${longestTaskMs.toFixed(0)} ms`;
    return [
      { what: 'longest frame while scrolling', figure: longest, unit: 'ms', goal: FRAME_MS, detail },
      { what: 'rows in the page', figure: rows, unit: '', goal: 150, detail: '' },
    ];
  });
}

export async function memory(world: PageWorld): Promise<ConsoleRow[]> {
  return inContext(world.visitor, async (context) => {
    const { page, protocol } = await readyFleet(context);
    const before = await heapOf(protocol);
    const sockets = await connectInSight(page, world.chargers, CHARGERS_IN_SIGHT);
    const end = Date.now() + world.liveMinutes * 60_000;
    const startMs = performance.now();
    let sent = 0;
    while (Date.now() < end) {
      for (const due = ((performance.now() - startMs) / 1_000) * EVENTS_PER_SECOND; sent < due; sent += 1) {
        const socket = sockets[sent % sockets.length];
        if (socket !== undefined) report(socket, Math.floor(sent / sockets.length));
      }
      await sleep(10);
    }
    for (const socket of sockets) socket.destroy();
    const figure = await heapOf(protocol);
    const perSecond = Math.round(sent / (world.liveMinutes * 60));
    const detail = `before ${before.toFixed(0)} MB; ${String(perSecond)} events a second for ${String(world.liveMinutes)} min`;
    return [{ what: 'heap of the page, live', figure, unit: 'MB', goal: 120, detail }];
  });
}

export async function curve({ visitor, scale }: PageWorld): Promise<ConsoleRow[]> {
  return inContext(visitor, async (context) => {
    const { page } = await context.visit(`/sessions?session=${String(curveSessionOf(scale))}`);
    const startMs = performance.now();
    const values = (isBusy: boolean) =>
      page.locator(`section[aria-label="Meter values"][aria-busy="${String(isBusy)}"]`);
    await values(true).waitFor();
    // What comes before is the screen, not the curve.
    await page.evaluate('bench.longestTaskMs = 0');
    await values(false).locator('.curve canvas').waitFor({ timeout: 120_000 });
    const seconds = (performance.now() - startMs) / 1_000;
    // A long task is reported after it.
    await page.evaluate('new Promise(requestAnimationFrame)');
    const figure = await page.evaluate<number>('bench.longestTaskMs');
    const detail = `longest task while it is read and drawn; all ${String(scale.curvePoints)} points after ${seconds.toFixed(1)} s`;
    return [{ what: 'curve of a session', figure, unit: 'ms', goal: 100, detail }];
  });
}

async function inContext<T>(visitor: Visitor, work: (context: VisitorContext) => Promise<T>): Promise<T> {
  const context = await visitor.open();
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

async function readyFleet(context: VisitorContext): Promise<OpenedPage> {
  const opened = await context.visit('/');
  await opened.page.evaluate('bench.firstRow');
  await opened.page.getByText('Live', { exact: true }).waitFor();
  // The stream is asked anew for the rows in sight.
  await sleep(SETTLE_MS);
  return opened;
}

/** The first chargers of the list. */
async function connectInSight(page: OpenedPage['page'], target: Target, count: number): Promise<ChargerSocket[]> {
  const ids = await page.evaluate<string[]>(
    '[...document.querySelectorAll("[data-charger]")].map((row) => row.dataset.charger)',
  );
  return Promise.all(
    ids.slice(0, count).map(async (id) => {
      const opening = await openChargerSocket(target, id);
      if (opening.kind !== 'open') throw new Error(`${id} could not connect: ${JSON.stringify(opening)}`);
      return opening.socket;
    }),
  );
}

function stateOf(n: number): string {
  return n % 2 === 0 ? 'Charging' : 'Available';
}

/** Every other one is Charging. */
function report(socket: ChargerSocket, n: number): void {
  const id = `${socket.chargerId}-${String(Date.now())}-${String(n)}`;
  const payload = { connectorId: 1, status: stateOf(n), errorCode: 'NoError', timestamp: new Date().toISOString() };
  socket.call(id, JSON.stringify([2, id, 'StatusNotification', payload]), () => undefined);
}

async function heapOf(protocol: OpenedPage['protocol']): Promise<number> {
  await protocol.send('HeapProfiler.collectGarbage');
  return (await protocol.send('Runtime.getHeapUsage')).usedSize / MEGABYTE;
}

function spread(histogram: ReturnType<typeof createHistogram>): string {
  const [p50, p95] = [0.5, 0.95].map((q) => histogram.quantile(q).toFixed(0));
  return `p50 ${p50 ?? ''}, p95 ${p95 ?? ''} ms of ${String(histogram.count())}`;
}
