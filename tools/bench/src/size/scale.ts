/** The amount of stored data. */
export interface Scale {
  readonly chargers: number;
  readonly sites: number;
  readonly sessions: number;
  readonly logRows: number;
  readonly stateChanges: number;
  /** Meter values of one session, `curveSessionOf`. */
  readonly curvePoints?: number;
}

/** The size that the figures are for. */
export const WHOLE: Scale = {
  chargers: 100_000,
  sites: 1_000,
  sessions: 1_000_000,
  logRows: 10_000_000,
  stateChanges: 1_000_000,
};

const FEWEST = 100;

/** That part of it, but never nothing. */
export function scaled(part: number): Scale {
  const of = (count: number): number => Math.max(FEWEST, Math.round(count * part));
  return {
    chargers: of(WHOLE.chargers),
    sites: of(WHOLE.sites),
    sessions: of(WHOLE.sessions),
    logRows: of(WHOLE.logRows),
    stateChanges: of(WHOLE.stateChanges),
  };
}
