// After a boot (or a first connection without one) the service asks the charger for what it lacks: its configuration, and
// the status of sockets that it does not tell by itself (rule 52). What comes back goes the way of every report.
import type { Broker } from '@busbar/broker';
import type { Clock, Logger } from '@busbar/core';
import type { Charger, ReportStore } from '@busbar/domain';
import type { Applied } from '../reports/apply-batch';
import { sendCommand } from './send-command';

export interface AfterBootDeps {
  readonly broker: Broker;
  readonly reports: Pick<ReportStore, 'loadChargers'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly commandTimeoutMs: number;
  /** How long a charger has to tell its sockets' status by itself. */
  readonly statusGraceMs: number;
}

export interface AfterBoot {
  /** Looks for boots in a batch and asks those chargers. Never waits. */
  follow(applied: readonly Applied[]): void;
  stop(): void;
}

/** The answer to the boot goes another way than our CALL, and must be there first: a charger is not to be asked before. */
const SETTLE_MS = 250;
/** Chargers asked at the same time; the others wait their turn, so that a mass reconnect is no storm of CALLs. */
const AT_ONCE = 50;
const MOST_WAITING = 10_000;
/** A charger that claims more connectors than this is asked for all at once. */
const MOST_CONNECTORS = 50;

export function createAfterBoot(deps: AfterBootDeps): AfterBoot {
  const waiting = new Map<string, Charger>();
  let running = 0;
  let stopped = false;

  function next(): void {
    if (stopped || running >= AT_ONCE) return;
    const entry = waiting.entries().next();
    if (entry.done) return;
    const [chargerId, charger] = entry.value;
    waiting.delete(chargerId);
    running += 1;
    void askForConfiguration(deps, charger)
      .catch((error: unknown) =>
        deps.logger.warn({ err: error, chargerId }, 'asking a charger for what it lacks failed'),
      )
      .finally(() => {
        running -= 1;
        next();
      });
  }

  return {
    follow(applied) {
      for (const { report, charger, isNew } of applied) {
        if (charger === undefined || !isNew || !asksNow(report.kind, report.action, charger)) continue;
        deps.clock.after(SETTLE_MS, () => {
          if (waiting.size < MOST_WAITING) waiting.set(charger.chargerId, charger);
          next();
        });
        deps.clock.after(deps.statusGraceMs, () => {
          if (!stopped) void askForStatus(deps, charger).catch((error: unknown) => logFailure(deps, charger, error));
        });
      }
    },
    stop() {
      stopped = true;
      waiting.clear();
    },
  };
}

/** A boot, or a connection of a charger whose configuration was never told (it will not boot only because we restarted). */
function asksNow(kind: string, action: string, charger: Charger): boolean {
  if (kind === 'decision') return action === 'BootNotification';
  return kind === 'connected' && charger.reported.boot !== null && charger.reported.configurationPosition === null;
}

async function askForConfiguration(deps: AfterBootDeps, charger: Charger): Promise<void> {
  const answer = await sendCommand(deps.broker, charger, {
    action: 'GetConfiguration',
    payload: {},
    timeoutMs: deps.commandTimeoutMs,
  });
  deps.logger.debug({ chargerId: charger.chargerId, outcome: answer?.outcome }, 'asked for the configuration');
}

/** Asks for each connector that has not told its status since this connection began; for all when their number is unknown. */
async function askForStatus(deps: AfterBootDeps, charger: Charger): Promise<void> {
  const [current] = await deps.reports.loadChargers([charger.chargerId]);
  if (!current?.connection.active || current.incarnationId !== charger.incarnationId) return;
  if (current.connection.position[0] !== charger.connection.position[0]) return;
  for (const connectorId of missingConnectors(current)) {
    const payload = { requestedMessage: 'StatusNotification', ...(connectorId === undefined ? {} : { connectorId }) };
    const answer = await sendCommand(deps.broker, current, {
      action: 'TriggerMessage',
      payload,
      timeoutMs: deps.commandTimeoutMs,
    });
    if (answer?.outcome !== 'answered') return;
  }
}

function missingConnectors({ reported, connection }: Charger): readonly (number | undefined)[] {
  const told = (order: number | undefined): boolean => order !== undefined && order >= connection.position[0];
  const ownMissing = told(reported.status?.position[0]) ? [] : [0];
  const item = reported.configuration.find(({ configName }) => configName === 'NumberOfConnectors');
  const count = Number(item?.configValue ?? Number.NaN);
  if (!Number.isInteger(count) || count < 1 || count > MOST_CONNECTORS) {
    const any = Object.values(reported.sockets).some((socket) => told(socket.position[0]));
    return any ? [] : [undefined];
  }
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter(
    (id) => !told(reported.sockets[String(id)]?.position[0]),
  );
  return [...ownMissing, ...missing];
}

function logFailure(deps: AfterBootDeps, charger: Charger, error: unknown): void {
  deps.logger.warn({ err: error, chargerId: charger.chargerId }, 'asking a charger for its status failed');
}
