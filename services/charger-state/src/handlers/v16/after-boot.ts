// After a boot (or a first connection without one) the service asks the charger for what it lacks: its configuration, and
// the status of sockets that it does not tell by itself (rule 52). What comes back goes the way of every report.
import type { Clock, Logger, Timer } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';
import type { Charger } from '@busbar/domain/chargers';
import type { LinkOutcome, ChargerLink } from '@busbar/domain/commands';
import type { Applied } from '../../pipeline/outcome';

export interface AfterBootDeps {
  readonly link: Pick<ChargerLink, 'call'>;
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
/**
 * A question of ours holds up whatever a person asks for meanwhile, and that waits ten seconds at most: a charger that does
 * not answer ours must not be one that cannot be commanded.
 */
const MAX_ANSWER_MS = 5_000;
/** These questions give way to whatever a person has asked for. */
const WAIT_MS = 60_000;
/** Chargers asked at the same time; the others wait their turn, so that a mass reconnect is no storm of CALLs. */
const CONCURRENCY = 50;
/** Chargers whose questions are due or in the line; beyond it a charger is asked at its next boot. */
const MAX_WAITING = 10_000;
/** A charger that claims more connectors than this is asked for all at once. */
const MAX_CONNECTORS = 50;

export function createAfterBoot(deps: AfterBootDeps): AfterBoot {
  const due = new Map<string, readonly Timer[]>();
  const line = new Map<string, () => Promise<void>>();
  let running = 0;

  function next(): void {
    const entry = line.entries().next();
    if (running >= CONCURRENCY || entry.done) return;
    const [question, ask] = entry.value;
    line.delete(question);
    running += 1;
    void ask()
      .catch((error: unknown) =>
        deps.logger.warn({ err: error, question }, 'asking a charger for what it lacks failed'),
      )
      .finally(() => {
        running -= 1;
        next();
      });
  }

  function enqueue(question: string, ask: () => Promise<void>): void {
    line.set(question, ask);
    next();
  }

  /** The newest boot wins: a charger that boots again and again is asked once, when it has settled. */
  function schedule(charger: Charger): void {
    const { chargerId } = charger;
    const boot: Boot = { charger, isSilent: false };
    for (const timer of due.get(chargerId) ?? []) timer.cancel();
    due.delete(chargerId);
    if (due.size + line.size >= MAX_WAITING) return;
    due.set(chargerId, [
      deps.clock.after(SETTLE_MS, () =>
        enqueue(`configuration of ${chargerId}`, () => askForConfiguration(deps, boot)),
      ),
      deps.clock.after(deps.statusGraceMs, () => {
        due.delete(chargerId);
        enqueue(`status of ${chargerId}`, () => askForStatus(deps, boot));
      }),
    ]);
  }

  return {
    follow(applied) {
      for (const { report, charger, isNew } of applied) {
        if (charger !== undefined && isNew && asksNow(report.kind, report.action, charger)) schedule(charger);
      }
    },
    stop() {
      for (const timers of due.values()) for (const timer of timers) timer.cancel();
      due.clear();
      line.clear();
    },
  };
}

/** A boot, or a connection of a charger whose configuration was never told (it will not boot only because we restarted). */
function asksNow(kind: string, action: string, charger: Charger): boolean {
  if (kind === 'decision') return action === 'BootNotification';
  return kind === 'connected' && charger.reported.boot !== null && charger.reported.configurationPosition === null;
}

interface Boot {
  readonly charger: Charger;
  /** It let a question time out: it is asked nothing more until it boots again. */
  isSilent: boolean;
}

async function askForConfiguration(deps: AfterBootDeps, boot: Boot): Promise<void> {
  const { charger } = boot;
  const answer = await call(deps, charger, 'GetConfiguration', {});
  if (answer?.outcome === 'timeout') boot.isSilent = true;
  deps.logger.debug({ chargerId: charger.chargerId, outcome: answer?.outcome }, 'asked for the configuration');
}

/** Asks for each connector that has not told its status since this connection began; for all when their number is unknown. */
async function askForStatus(deps: AfterBootDeps, boot: Boot): Promise<void> {
  const { charger } = boot;
  if (boot.isSilent) return;
  const [current] = await deps.reports.loadChargers([charger.chargerId]);
  if (!current?.connection.active || current.incarnationId !== charger.incarnationId) return;
  if (current.connection.position[0] !== charger.connection.position[0]) return;
  for (const connectorId of missingConnectors(current)) {
    const payload = { requestedMessage: 'StatusNotification', ...(connectorId === undefined ? {} : { connectorId }) };
    const answer = await call(deps, current, 'TriggerMessage', payload);
    if (answer?.outcome !== 'answered') return;
  }
}

/** By way of the gateway that the record names; undefined when it names none. */
async function call(
  deps: AfterBootDeps,
  { chargerId, incarnationId, connection: { gatewayId } }: Charger,
  action: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<LinkOutcome | undefined> {
  if (gatewayId === null) return undefined;
  const to = { gatewayId, chargerId, incarnationId };
  const timeoutMs = Math.min(deps.commandTimeoutMs, MAX_ANSWER_MS);
  return deps.link.call(to, { action, payload, timeoutMs, waitMs: WAIT_MS });
}

function missingConnectors({ reported, connection }: Charger): readonly (number | undefined)[] {
  const told = (order: number | undefined): boolean => order !== undefined && order >= connection.position[0];
  // No connectorId is for all of them and the charger itself (OCPP 1.6, 5.17): 0 is none that may be asked for (6.51).
  const ownMissing = told(reported.status?.position[0]) ? [] : [undefined];
  const item = reported.configuration.find(({ configName }) => configName === 'NumberOfConnectors');
  const count = Number(item?.configValue ?? Number.NaN);
  if (!Number.isInteger(count) || count < 1 || count > MAX_CONNECTORS) {
    const any = Object.values(reported.sockets).some((socket) => told(socket.position[0]));
    return any ? [] : [undefined];
  }
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter(
    (id) => !told(reported.sockets[String(id)]?.position[0]),
  );
  return [...ownMissing, ...missing];
}
