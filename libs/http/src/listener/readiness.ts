// Reports whether a process can work, check by check, and since when.
import { createTicker, type Clock } from '@busbar/core';

/** A part of the process, or a server that it needs. */
export interface HealthCheck {
  readonly name: string;
  /** False: the process counts as ready without it. Default true. */
  readonly required?: boolean;
  readonly isOk: () => boolean;
  /** Sentences for people on both states, without secrets. */
  readonly details: { readonly ok: string; readonly failing: string };
}

/** One check as `/readyz` shows it. */
export interface CheckReport {
  readonly name: string;
  readonly ok: boolean;
  readonly required: boolean;
  /** When it was found in this state, at most a second late: RFC 3339, UTC. */
  readonly since: string;
  readonly detail: string;
}

export interface ReadinessReport {
  /** Every required check is ok. */
  readonly ready: boolean;
  readonly checks: readonly CheckReport[];
}

export type Readiness = ReturnType<typeof createReadiness>;

const LOOK_EVERY_MS = 1_000;

/** `checks` is called at each look: the parts of a process may be replaced. */
export function createReadiness(checks: () => readonly HealthCheck[], clock: Clock) {
  const states = new Map<string, { readonly ok: boolean; readonly since: string }>();

  const look = ({ name, isOk, required = true, details }: HealthCheck): CheckReport => {
    const ok = isOk();
    let state = states.get(name);
    if (state?.ok !== ok) states.set(name, (state = { ok, since: clock.now().toISOString() }));
    return { name, ok, required, since: state.since, detail: ok ? details.ok : details.failing };
  };

  const report = (): ReadinessReport => {
    const reports = checks().map(look);
    return { ready: reports.every(({ ok, required }) => ok || !required), checks: reports };
  };

  // It looks every second, so that `since` is right.
  return { report, ...createTicker(clock, LOOK_EVERY_MS, report) };
}
