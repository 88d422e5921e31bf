// After a boot, or a connection without one, the service asks the charger for missing reports (rule 52). These are its
// configuration, and the status of sockets that it does not report by itself. The results come as reports.
import { createConcurrencyLimiter, type Clock, type Logger, type Timer } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';
import type { Charger } from '@busbar/domain/chargers';
import type { ChargerLink, LinkOutcome } from '@busbar/domain/commands';
import type { Applied } from '../../pipeline/contract';
import type { Action, RequestOf } from './route';

export interface AfterBootDeps {
  readonly link: Pick<ChargerLink, 'call'>;
  readonly reports: Pick<ReportStore, 'loadChargers'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly commandTimeoutMs: number;
  /** The time that a charger may take to report its sockets' status by itself. */
  readonly statusGraceMs: number;
}

/** The CALLRESULT of the boot takes another way than our CALL, and must reach the charger first. */
const CALL_DELAY_MS = 250;
/** A charger that does not respond must not block the commands of a person, which wait for at most ten seconds. */
const MAX_ANSWER_MS = 5_000;
/** These questions give precedence to the commands of a person. */
const WAIT_MS = 60_000;
/** Chargers asked at the same time, so that a mass reconnect causes no storm of CALLs. */
const CONCURRENCY = 50;
/** Chargers whose questions are due or queued; beyond it a charger is asked at its next boot. */
const MAX_WAITING = 10_000;
/** A charger that claims more connectors than this is asked for all at once. */
const MAX_CONNECTORS = 50;

interface Boot {
  readonly charger: Charger;
  timers: readonly Timer[];
  /** It let a question time out: it is asked nothing more until it boots again. */
  isSilent: boolean;
}

export function createAfterBoot(deps: AfterBootDeps) {
  const { clock, logger } = deps;
  const boots = new Map<string, Boot>();
  const limiter = createConcurrencyLimiter({ concurrency: CONCURRENCY, maxQueue: 2 * MAX_WAITING });

  async function ask(boot: Boot, question: (deps: AfterBootDeps, boot: Boot) => Promise<void>): Promise<void> {
    const { chargerId } = boot.charger;
    try {
      await limiter.run(
        () => question(deps, boot),
        () => boots.get(chargerId) === boot,
      );
    } catch (error) {
      logger.warn({ err: error, chargerId }, 'could not ask a charger for its configuration or status');
    }
  }

  /** The newest boot wins: a charger in a boot loop is asked once, when it stays up. */
  function schedule(charger: Charger): void {
    const { chargerId } = charger;
    for (const timer of boots.get(chargerId)?.timers ?? []) timer.cancel();
    boots.delete(chargerId);
    if (boots.size >= MAX_WAITING) return;
    const boot: Boot = { charger, timers: [], isSilent: false };
    boots.set(chargerId, boot);
    boot.timers = [
      clock.after(CALL_DELAY_MS, () => void ask(boot, askForConfiguration)),
      clock.after(
        deps.statusGraceMs,
        () => void ask(boot, askForStatus).then(() => boots.get(chargerId) === boot && boots.delete(chargerId)),
      ),
    ];
  }

  return {
    /** Finds boots in a batch and schedules the questions to those chargers. Never waits. */
    follow(applied: readonly Applied[]): void {
      for (const { report, charger, isNew } of applied) {
        if (charger !== undefined && isNew && asksNow(report.kind, report.action, charger)) schedule(charger);
      }
    },
    stop(): void {
      for (const { timers } of boots.values()) for (const timer of timers) timer.cancel();
      boots.clear();
    },
  };
}

/** A boot; or a connection of a charger whose configuration was never read, since it does not boot when the service restarts. */
function asksNow(kind: string, action: string, charger: Charger): boolean {
  if (kind === 'decision') return action === ('BootNotification' satisfies Action);
  return kind === 'connected' && charger.reported.boot !== null && charger.reported.configurationPosition === null;
}

async function askForConfiguration(deps: AfterBootDeps, boot: Boot): Promise<void> {
  const { charger } = boot;
  const answer = await call(deps, charger, 'GetConfiguration', {});
  if (answer?.outcome === 'timeout') boot.isSilent = true;
  deps.logger.debug({ chargerId: charger.chargerId, outcome: answer?.outcome }, 'asked for the configuration');
}

/** Asks for each connector without a status since this connection began; for all when their number is unknown. */
async function askForStatus(deps: AfterBootDeps, boot: Boot): Promise<void> {
  const { charger } = boot;
  if (boot.isSilent) return;
  const [current] = await deps.reports.loadChargers([charger.chargerId]);
  if (!current?.connection.active || current.incarnationId !== charger.incarnationId) return;
  if (current.connection.position[0] !== charger.connection.position[0]) return;
  for (const connectorId of missingConnectors(current)) {
    const payload: RequestOf<'TriggerMessage'> = {
      requestedMessage: 'StatusNotification',
      ...(connectorId === undefined ? {} : { connectorId }),
    };
    const answer = await call(deps, current, 'TriggerMessage', payload);
    if (answer?.outcome !== 'answered') return;
  }
}

/** Sends the CALL through the gateway that the record names; undefined when it names none. */
async function call<A extends Action>(
  deps: AfterBootDeps,
  { chargerId, incarnationId, connection: { gatewayId } }: Charger,
  action: A,
  payload: RequestOf<A>,
): Promise<LinkOutcome | undefined> {
  if (gatewayId === null) return undefined;
  const to = { gatewayId, chargerId, incarnationId };
  const timeoutMs = Math.min(deps.commandTimeoutMs, MAX_ANSWER_MS);
  return deps.link.call(to, { action, payload, timeoutMs, waitMs: WAIT_MS });
}

function missingConnectors({ reported, connection }: Charger): readonly (number | undefined)[] {
  const isReported = (order: number | undefined): boolean => order !== undefined && order >= connection.position[0];
  // No connectorId is for all of them and the charger itself (OCPP 1.6, 5.17): 0 is none that may be asked for (6.51).
  const ownMissing = isReported(reported.status?.position[0]) ? [] : [undefined];
  const item = reported.configuration.find(({ configName }) => configName === 'NumberOfConnectors');
  const count = Number(item?.configValue ?? Number.NaN);
  if (!Number.isInteger(count) || count < 1 || count > MAX_CONNECTORS) {
    const any = Object.values(reported.sockets).some((socket) => isReported(socket.position[0]));
    return any ? [] : [undefined];
  }
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter(
    (id) => !isReported(reported.sockets[String(id)]?.position[0]),
  );
  return [...ownMissing, ...missing];
}
