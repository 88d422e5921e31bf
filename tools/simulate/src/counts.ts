/** What the status line shows. */
export interface Counts {
  chargers: number;
  connected: number;
  /** Sessions that charge now. */
  charging: number;
  /** Connections made, reconnections too. */
  connections: number;
  sessions: number;
  energyWh: number;
  /** Frames in both directions. */
  messages: number;
  /** Failed attempts, lost connections, CALLs with an error or without an answer. */
  failures: number;
  /** With the charger's id. */
  lastFailure: string | undefined;
}

export function createCounts(chargers: number): Counts {
  return {
    chargers,
    connected: 0,
    charging: 0,
    connections: 0,
    sessions: 0,
    energyWh: 0,
    messages: 0,
    failures: 0,
    lastFailure: undefined,
  };
}

/** One line for a terminal. */
export function statusLine(counts: Counts, messagesPerS: number): string {
  return [
    `connected ${String(counts.connected)}/${String(counts.chargers)}`,
    `charging ${String(counts.charging)}`,
    `sessions ${String(counts.sessions)}`,
    energyOf(counts),
    `${messagesPerS.toFixed(messagesPerS < 10 ? 1 : 0)} messages/s`,
    failuresOf(counts),
  ].join('  ');
}

/** What has happened, at the end. */
export function summaryLine(counts: Counts): string {
  const { connections, sessions, messages } = counts;
  const parts = [plural(connections, 'connection'), plural(sessions, 'session'), energyOf(counts)];
  return `Ended: ${[...parts, plural(messages, 'message'), failuresOf(counts)].join(', ')}`;
}

function energyOf({ energyWh }: Counts): string {
  return `${(energyWh / 1000).toFixed(energyWh < 100_000 ? 2 : 0)} kWh`;
}

function failuresOf({ failures, lastFailure }: Counts): string {
  return `failures ${String(failures)}${lastFailure === undefined ? '' : ` (last: ${lastFailure})`}`;
}

function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
