/** The counts of the status line. */
export type Counts = ReturnType<typeof createCounts>;

export function createCounts(chargers: number) {
  return {
    chargers,
    connected: 0,
    /** Sessions that charge now. */
    charging: 0,
    /** Connections made, reconnections too. */
    connections: 0,
    sessions: 0,
    energyWh: 0,
    /** Frames in both directions. */
    messages: 0,
    /** Failed attempts, lost connections, CALLs with an error or without an answer. */
    failures: 0,
    /** With the charger's id. */
    lastFailure: undefined as string | undefined,
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

/** Returns the summary of a run. */
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
