import type { Connection } from 'mongoose';

import type { Logger } from '@busbar/core';

import { isSilence } from './errors';

/** The time limit of each dial that finds no server, unless the URL sets another. */
export const DIAL_MS = 2_000;
/**
 * For a start: while many processes start, as in a rollout, a server may be busy. One dial is shorter than the driver's check of
 * a server, and a stop awaits no more than one.
 */
const PATIENT_DIAL_MS = 4_000;
const PATIENT_DIALS = 5;

interface DialDeps {
  /** Connects, or rejects with AppError `unavailable` after so many milliseconds. */
  readonly dial: (withinMs: number) => Promise<Connection>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Connects at the start of a process. A server that refuses connections is not awaited; one that only does not answer is dialled
 * five times more. Rejects as the last dial did, or after the present one when stopped.
 */
export async function dialAtStart({ dial, log, signal }: DialDeps): Promise<Connection> {
  for (let dials = 0; ; dials += 1) {
    try {
      return await dial(dials === 0 ? DIAL_MS : PATIENT_DIAL_MS);
    } catch (error) {
      if (!isSilence(error) || dials === PATIENT_DIALS || signal.aborted) throw error;
      if (dials === 0) log.warn({}, 'MongoDB does not answer yet; waiting for it');
    }
  }
}
