// Whether one socket is read from. Three things stop it: its charger has too many CALLs unanswered, it talks faster than it
// may, or too much of all chargers together is unconfirmed. It goes on when none of them does.
import type { Clock } from '@busbar/core';
import type { Connection } from './connection';
import { heard } from './liveness';

/** Unanswered CALLs of one charger; OCPP allows it one. Beyond this we stop reading from it. */
const MOST_OPEN = 64;

/** Stops where its charger has too many CALLs unanswered. */
export function stopAtTooManyOpen(connection: Connection): void {
  if (connection.answers.length >= MOST_OPEN) stopReading(connection);
}

export function stopReading(connection: Connection): void {
  if (connection.paused) return;
  connection.paused = true;
  connection.socket.pause();
}

/** Unless something else stops it still. */
export function goOnReading(connection: Connection): void {
  const { paused, held, pressed, answers } = connection;
  if (!paused || held || pressed || answers.length >= MOST_OPEN / 2) return;
  connection.paused = false;
  // A pong that came meanwhile has not been read yet.
  heard(connection);
  if (!connection.closed) connection.socket.resume();
}

/** Stops for so long, for talking too fast. */
export function hold(connection: Connection, clock: Clock, ms: number): void {
  if (connection.held || connection.closed) return;
  connection.held = true;
  stopReading(connection);
  clock.after(ms, () => {
    connection.held = false;
    goOnReading(connection);
  });
}
