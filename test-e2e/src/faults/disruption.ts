// The effects of a disruption on the chargers of a fleet, and the effects that a planned one may have.
import type { Fleet } from './fleet';
import type { Close } from './ledger';

export interface Disruption {
  /** The closes of every charger that lost its connection. */
  readonly closes: ReadonlyMap<string, readonly Close[]>;
  /** The reasons why connections could not be opened. */
  readonly failedOpens: readonly string[];
  /** The text of each CALLERROR. */
  readonly errors: readonly string[];
  readonly unanswered: number;
  readonly answered: number;
}

/** The most that each gateway had, by its name. */
export type Sockets = ReadonlyMap<string, number>;

/** The promises for an ordered stop. */
export interface Promised {
  readonly code: number;
  /** Seconds over which a gateway closes its sockets. */
  readonly drainS: number;
  readonly sockets: Sockets;
  /** Chargers may meet a gateway that stops, since nobody takes it out of their way: it rejects them. */
  readonly meetsStopping?: boolean;
  /** The number of planned changes, one after the other; 1 by default. Each may close a charger's connection twice. */
  readonly changes?: number;
}

const SECOND_MS = 1_000;
const MAX_CLOSES = 2;
const MAX_MEAN_CLOSES = 1.5;

/** Returns a function that reports what happened since. */
export function watchDisruption({ chargers }: Pick<Fleet, 'chargers'>): () => Disruption {
  const before = chargers.map(({ ledger }) => ({
    closes: ledger.closes.length,
    failedOpens: ledger.failedOpens.length,
    errors: ledger.errors.length,
    unanswered: ledger.unanswered,
    answered: ledger.answered,
  }));
  return () => {
    const sum = (count: 'unanswered' | 'answered'): number =>
      chargers.reduce((all, { ledger }, n) => all + ledger[count] - (before[n]?.[count] ?? 0), 0);
    const closes = chargers.map(({ ledger }, n) => [ledger.chargerId, ledger.closes.slice(before[n]?.closes)] as const);
    return {
      closes: new Map(closes.filter(([, own]) => own.length > 0)),
      failedOpens: chargers.flatMap(({ ledger }, n) => ledger.failedOpens.slice(before[n]?.failedOpens)),
      errors: chargers.flatMap(({ ledger }, n) => ledger.errors.slice(before[n]?.errors)),
      unanswered: sum('unanswered'),
      answered: sum('answered'),
    };
  };
}

/** Where a planned disruption breaks its promise, in sentences; nothing when it keeps all of them. */
export function brokenPromises(disruption: Disruption, promised: Promised): string[] {
  const { closes, errors, unanswered } = disruption;
  const { changes = 1 } = promised;
  const all = [...closes.values()].flat();
  const failedOpens = promised.meetsStopping === true ? [] : disruption.failedOpens;
  const otherCodes = all.filter((close) => close.code !== promised.code).map((close) => close.code);
  const max = Math.max(0, ...[...closes.values()].map((own) => own.length));
  const mean = all.length / Math.max(1, closes.size);
  return [
    ...(errors.length > 0 ? [`${String(errors.length)} CALLs were answered with an error${examplesOf(errors)}`] : []),
    ...(failedOpens.length > 0 ? [`connections were not opened: ${[...new Set(failedOpens)].join(', ')}`] : []),
    ...(otherCodes.length > 0 ? [`sockets were closed with ${[...new Set(otherCodes)].join(', ')}`] : []),
    ...(unanswered > all.length ? [`${String(unanswered)} CALLs on ${String(all.length)} sockets had no answer`] : []),
    ...bursts(all, promised),
    ...(max > changes * MAX_CLOSES ? [`a charger lost its socket ${String(max)} times`] : []),
    ...(mean > changes * MAX_MEAN_CLOSES ? [`a charger lost its socket ${mean.toFixed(2)} times on the average`] : []),
  ];
}

/**
 * Returns the bursts of each gateway. Where the gateway of a connection is unknown, all count as those of the largest
 * one.
 */
function bursts(closes: readonly Close[], { drainS, sockets }: Promised): string[] {
  const ofLargest = Math.max(0, ...sockets.values());
  return closeRatesOf(closes).flatMap(({ gateway, burst }) => {
    const allowed = Math.ceil((2 * (sockets.get(gateway ?? '') ?? ofLargest)) / drainS);
    const of = gateway === undefined ? '' : ` of ${gateway}`;
    return burst > allowed
      ? [`${String(burst)} sockets${of} were closed within a second, ${String(allowed)} are allowed`]
      : [];
  });
}

interface CloseRate {
  readonly gateway: string | undefined;
  readonly count: number;
  /** The most within a second. */
  readonly burst: number;
}

function closeRatesOf(closes: readonly Close[]): readonly CloseRate[] {
  return [...new Set(closes.map(({ gateway }) => gateway))].map((gateway) => {
    const times = closes.filter((close) => close.gateway === gateway).map(({ at }) => at);
    return { gateway, count: times.length, burst: closesInOneSecond(times) };
  });
}

/** One line for a person who watches. */
export function summaryOf({ closes, failedOpens, errors, unanswered, answered }: Disruption): string {
  const all = [...closes.values()].flat();
  const codes = [...new Set(all.map(({ code }) => code))].join(', ') || 'none';
  const rates = closeRatesOf(all).map(
    ({ gateway = 'a gateway', count, burst }) =>
      `${String(count)} of ${gateway}, at most ${String(burst)} within a second`,
  );
  return [
    `${String(answered)} answered, ${String(errors.length)} with an error${examplesOf(errors)}, ${String(unanswered)} without an answer`,
    `${String(all.length)} closes (${codes}) of ${String(closes.size)} chargers${all.length === 0 ? '' : `: ${rates.join('; ')}`}`,
    `${String(failedOpens.length)} failed connections${examplesOf(failedOpens)}`,
  ].join(', ');
}

/** In brackets; nothing of none. */
function examplesOf(texts: readonly string[]): string {
  const examples = [...new Set(texts)].slice(0, 3).join(', ');
  return examples === '' ? '' : ` (${examples})`;
}

/** The most times that lie within one second. */
export function closesInOneSecond(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let [first, max] = [0, 0];
  sorted.forEach((at, n) => {
    while (at - (sorted[first] ?? at) >= SECOND_MS) first += 1;
    max = Math.max(max, n - first + 1);
  });
  return max;
}
