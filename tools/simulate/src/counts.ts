/** What the live line shows. */
export interface Counts {
  chargers: number;
  connected: number;
  /** Connections made, reconnections too. */
  connections: number;
  /** Connections and upgrades that failed or were refused. */
  failures: number;
  /** CALLs that got their result. */
  answered: number;
  /** CALLs that got an error, or no answer. */
  unanswered: number;
  /** CALLs of the service. */
  commands: number;
  sessions: number;
  energyWh: number;
}

export function createCounts(chargers: number): Counts {
  return {
    chargers,
    connected: 0,
    connections: 0,
    failures: 0,
    answered: 0,
    unanswered: 0,
    commands: 0,
    sessions: 0,
    energyWh: 0,
  };
}

/** One line for a terminal. */
export function lineOf(counts: Counts): string {
  return [
    `connected ${String(counts.connected)}/${String(counts.chargers)}`,
    `connections ${String(counts.connections)}`,
    `failures ${String(counts.failures)}`,
    `answered ${String(counts.answered)}`,
    `unanswered ${String(counts.unanswered)}`,
    `commands ${String(counts.commands)}`,
    `sessions ${String(counts.sessions)}`,
    `${(counts.energyWh / 1000).toFixed(1)} kWh`,
  ].join('  ');
}
