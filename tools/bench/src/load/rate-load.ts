// The load itself: every charger sends its next CALL when the last one is answered.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChargerSocket } from './charger-socket';
import { createHistogram, type Histogram } from './histogram';
import { callText, type Action } from './messages';
import { callText2, type Action2, type Version2 } from './messages-2';

/** What is sent, and in which version. */
export type LoadOfVersion =
  { readonly version: 'ocpp1.6'; readonly action: Action } | { readonly version: Version2; readonly action: Action2 };

export const STATUSES: LoadOfVersion = { version: 'ocpp1.6', action: 'StatusNotification' };

export interface RateInput {
  readonly load: LoadOfVersion;
  /** Not counted; lets the processes' compilers do their work. */
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export interface RateResult {
  /** CALLRESULTs a second within the measured time. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CALLRESULTs from the first to the last, warm-up and end included. */
  readonly answered: number;
  /** CALLERRORs, and CALLs whose socket ended or which were not answered at all. */
  readonly failed: number;
}

const LAST_ANSWERS_MS = 15_000;

export async function runRateLoad(sockets: readonly ChargerSocket[], input: RateInput): Promise<RateResult> {
  const run = createRun(input);
  for (const socket of sockets) run.drive(socket);
  await sleep(input.warmUpMs);
  const from = performance.now();
  const answeredBefore = run.answered();
  run.measure(true);
  await sleep(input.measureMs);
  const answers = run.answered() - answeredBefore;
  const seconds = (performance.now() - from) / 1000;
  run.measure(false);
  run.stop();
  const enough = new AbortController();
  const late = sleep(LAST_ANSWERS_MS, undefined, { signal: enough.signal }).catch(() => undefined);
  await Promise.race([run.quiet(), late]);
  enough.abort();
  const { histogram } = run;
  return {
    perSecond: answers / seconds,
    p50Ms: histogram.quantile(0.5),
    p99Ms: histogram.quantile(0.99),
    answered: run.answered(),
    failed: run.failed() + run.inFlight(),
  };
}

interface Run {
  drive(socket: ChargerSocket): void;
  measure(on: boolean): void;
  stop(): void;
  quiet(): Promise<void>;
  answered(): number;
  failed(): number;
  inFlight(): number;
  readonly histogram: Histogram;
}

function createRun({ load }: RateInput): Run {
  const histogram = createHistogram();
  // Another run over the same sockets must not meet the ids, or the contents, of this one.
  const run = Date.now().toString(36);
  const firstN = Math.floor(Math.random() * 1_000_000);
  let answered = 0;
  let failed = 0;
  let inFlight = 0;
  let measuring = false;
  let stopped = false;
  let onQuiet: (() => void) | undefined;

  function drive(socket: ChargerSocket): void {
    let n = firstN;
    let sentAt = 0;
    const send = (): void => {
      n += 1;
      const messageId = `${run}-${String(n)}`;
      const text =
        load.version === 'ocpp1.6'
          ? callText(load.action, messageId, n)
          : callText2(load.action, { messageId, n, index: n - firstN - 1, run });
      inFlight += 1;
      sentAt = performance.now();
      socket.call(messageId, text, onAnswer);
    };
    const onAnswer = (isResult: boolean): void => {
      inFlight -= 1;
      if (isResult) {
        answered += 1;
        if (measuring) histogram.add(performance.now() - sentAt);
      } else failed += 1;
      if (!stopped && socket.isOpen()) send();
      else if (inFlight === 0) onQuiet?.();
    };
    send();
  }

  return {
    drive,
    histogram,
    measure: (on) => (measuring = on),
    stop: () => (stopped = true),
    quiet: () =>
      new Promise((resolve) => {
        onQuiet = resolve;
        if (inFlight === 0) resolve();
      }),
    answered: () => answered,
    failed: () => failed,
    inFlight: () => inFlight,
  };
}
