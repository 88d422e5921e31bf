// Whether one socket is read from. Three things stop it: its charger has too many CALLs unanswered, it talks faster than it
// may, or too much of all chargers together is unconfirmed. It goes on when none of them does.
import type { Clock } from '@busbar/core';
import type { Connection } from './connection';
import { messageReceived } from './liveness';

/** Unanswered CALLs of one charger; OCPP allows it one. Beyond this we stop reading from it. */
const MAX_OPEN = 64;

/**
 * A debt of minutes is waited for in steps. A charger that reconnects again and again while it is in debt would otherwise
 * keep each of its closed connections in memory until the debt is paid.
 */
const DEBT_STEP_MS = 1_000;

/** Stops where its charger has too many CALLs unanswered. */
export function stopAtTooManyOpen(connection: Connection): void {
  if (connection.answers.length >= MAX_OPEN) stopReading(connection);
}

export function stopReading(connection: Connection): void {
  if (connection.paused) return;
  connection.paused = true;
  connection.socket.pause();
}

/** Unless something else stops it still. */
export function goOnReading(connection: Connection): void {
  const { paused, rateLimited, backpressured, answers } = connection;
  if (!paused || rateLimited || backpressured || answers.length >= MAX_OPEN / 2) return;
  connection.paused = false;
  // A pong that came meanwhile has not been read yet.
  messageReceived(connection);
  if (!connection.closed) connection.socket.resume();
}

/**
 * Stops for so long, and longer while its charger is in debt: what one read of the socket brought is taken whole. The end of
 * a socket that is not read from shows when our pings fail.
 */
export function stopForDebt(connection: Connection, clock: Clock, debtMs: number): void {
  if (connection.rateLimited || connection.closed) return;
  connection.rateLimited = true;
  stopReading(connection);
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
    goOnReading(connection);
  });
}
