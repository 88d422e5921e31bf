// The messages and answers of one charger, to compare with the store.

export interface SessionEntry {
  readonly startTime: string;
  readonly meterStart: number;
  /** Assigned by the service; undefined until the start was answered. */
  transactionId?: number;
  /** The start was answered, where the answer names no id of ours: OCPP 2.x. */
  isStarted?: boolean;
  stop?: { readonly meterStop: number; answered: boolean };
}

/** The end of a connection: how, when, and at which gateway where that is known. */
export interface Close {
  readonly code: number;
  readonly at: number;
  readonly gateway?: string | undefined;
}

export interface Ledger {
  readonly chargerId: string;
  /** The subprotocol that it speaks. */
  readonly version: string;
  /** Every CALL by its message id, and whether it was answered with a result. */
  readonly messages: Map<string, { readonly action: string; answered: boolean }>;
  /** By the one timestamp that each has: a message may be sent several times under several ids. */
  readonly statuses: Map<string, { readonly status: string; answered: boolean }>;
  readonly meterValues: Map<string, { answered: boolean }>;
  readonly sessions: SessionEntry[];
  /** Answers that no charger should ever get. */
  readonly problems: string[];
  /** The close of each connection that ended. */
  readonly closes: Close[];
  /** The reason of each connection that could not be opened. */
  readonly failedOpens: string[];
  /** The text of each CALLERROR. */
  readonly errors: string[];
  answered: number;
  unanswered: number;
}

export function createLedger(chargerId: string, version: string): Ledger {
  return {
    chargerId,
    version,
    messages: new Map(),
    statuses: new Map(),
    meterValues: new Map(),
    sessions: [],
    problems: [],
    closes: [],
    failedOpens: [],
    errors: [],
    answered: 0,
    unanswered: 0,
  };
}

export interface Sums {
  readonly sessionsToday: number;
  readonly sessionsInProgress: number;
  readonly energyTodayWh: number;
}

/** Whether the service has acknowledged the start. */
export function isStarted({ transactionId, isStarted = false }: SessionEntry): boolean {
  return transactionId !== undefined || isStarted;
}

/** Returns the expected statistics of these chargers. `today`: the date that the statistics were made on. */
export function sumOf(ledgers: Iterable<Ledger>, today: string): Sums {
  const sums = { sessionsToday: 0, sessionsInProgress: 0, energyTodayWh: 0 };
  for (const { sessions } of ledgers) {
    for (const { startTime, meterStart, stop } of sessions) {
      if (startTime.startsWith(today)) sums.sessionsToday += 1;
      if (stop === undefined) sums.sessionsInProgress += 1;
      else sums.energyTodayWh += stop.meterStop - meterStart;
    }
  }
  return sums;
}
