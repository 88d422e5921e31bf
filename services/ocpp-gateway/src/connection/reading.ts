// Pauses and resumes reading from one socket. Four conditions pause it: its charger has too many CALLs unanswered, or too many
// frames that wait for a verdict, it exceeds its rate limit, or the gateway applies backpressure. It resumes when none of them holds.
import type { Clock } from '@busbar/core';
import type { Connection } from './connection';
import { markAlive } from './liveness';

/** Unanswered CALLs of one charger, above which reading pauses. OCPP allows it one. */
const MAX_OPEN = 64;

/**
 * A debt of minutes is waited for in steps. A charger that reconnects repeatedly while it is in debt would otherwise keep each
 * of its closed connections in memory until the debt is paid.
 */
const DEBT_STEP_MS = 1_000;

/** Frames of one charger that wait for the verdict on a tag, above which reading pauses. */
const MAX_AWAITING_VERDICT = 20;

/** Pauses where the charger has too many CALLs unanswered, or too many frames wait for a verdict. */
export function pauseAtTooManyOpen(connection: Connection): void {
  const { answers, awaitingVerdict } = connection;
  if (answers.length >= MAX_OPEN || (awaitingVerdict?.length ?? 0) >= MAX_AWAITING_VERDICT) pauseReading(connection);
}

export function pauseReading(connection: Connection): void {
  if (connection.paused) return;
  connection.paused = true;
  connection.socket.pause();
}

/** Resumes, unless another condition still holds. */
export function resumeReading(connection: Connection): void {
  const { paused, rateLimited, backpressured, answers, awaitingVerdict } = connection;
  if (!paused || rateLimited || backpressured || answers.length >= MAX_OPEN / 2) return;
  if ((awaitingVerdict?.length ?? 0) >= MAX_AWAITING_VERDICT / 2) return;
  connection.paused = false;
  // A pong may have arrived during the pause and is not read yet.
  markAlive(connection);
  if (!connection.closed) connection.socket.resume();
}

/**
 * Pauses for so long, and longer while the charger is in debt: all frames of one read of the socket are processed. The end of
 * a paused socket shows when our pings fail.
 */
export function pauseForDebt(connection: Connection, clock: Clock, debtMs: number): void {
  if (connection.rateLimited || connection.closed) return;
  connection.rateLimited = true;
  pauseReading(connection);
  waitForDebt(connection, clock, debtMs);
}

function waitForDebt(connection: Connection, clock: Clock, debtMs: number): void {
  clock.after(Math.min(debtMs, DEBT_STEP_MS), () => {
    const left = connection.closed ? 0 : connection.traffic.debtMs();
    if (left > 0) {
      waitForDebt(connection, clock, left);
      return;
    }
    connection.rateLimited = false;
    resumeReading(connection);
  });
}
