// After a boot, or a connection without one, the service asks the charger for missing reports (rule 52), in any version. The results
// come as reports.
import { createConcurrencyLimiter, type Clock, type Logger, type Timer } from '@busbar/core';
import type { ReportStore } from '@busbar/domain/reports';
import type { Charger } from '@busbar/domain/chargers';
import type { ChargerLink, LinkOutcome } from '@busbar/domain/commands';
import type { Applied } from '../../pipeline/contract';

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
export interface Boot {
  readonly charger: Charger;
  timers: readonly Timer[];
  /** It let a question time out: it is asked nothing more until it boots again. */
  isSilent: boolean;
}

type Question = (deps: AfterBootDeps, boot: Boot) => Promise<void>;

/** What a version asks. */
export interface AfterBootQuestions {
  /** Whether a message that was stored is reason to ask. */
  isDue(report: Applied['report'], charger: Charger): boolean;
  /** Asked soon after the answer to the boot. */
  readonly configuration: Question;
  /** Asked when the charger had time to report by itself. */
  readonly status: Question;
}

export function createAfterBoot(deps: AfterBootDeps, questions: AfterBootQuestions) {
  const { clock, logger } = deps;
  const boots = new Map<string, Boot>();
  const limiter = createConcurrencyLimiter({ concurrency: CONCURRENCY, maxQueue: 2 * MAX_WAITING });

  async function ask(boot: Boot, question: Question): Promise<void> {
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
      clock.after(CALL_DELAY_MS, () => void ask(boot, questions.configuration)),
      clock.after(
        deps.statusGraceMs,
        () => void ask(boot, questions.status).then(() => boots.get(chargerId) === boot && boots.delete(chargerId)),
      ),
    ];
  }

  return {
    /** Finds boots in a batch and schedules the questions to those chargers. Never waits. */
    follow(applied: readonly Applied[]): void {
      for (const { report, charger, isNew } of applied) {
        if (charger !== undefined && isNew && questions.isDue(report, charger)) schedule(charger);
      }
    },
    stop(): void {
      for (const { timers } of boots.values()) for (const timer of timers) timer.cancel();
      boots.clear();
    },
  };
}

/** Sends the CALL through the gateway that the record names; undefined when it names none. */
export async function askCharger(
  deps: Pick<AfterBootDeps, 'link' | 'commandTimeoutMs'>,
  { chargerId, incarnationId, connection: { gatewayId } }: Charger,
  { action, payload }: { readonly action: string; readonly payload: Readonly<Record<string, unknown>> },
): Promise<LinkOutcome | undefined> {
  if (gatewayId === null) return undefined;
  const to = { gatewayId, chargerId, incarnationId };
  const timeoutMs = Math.min(deps.commandTimeoutMs, MAX_ANSWER_MS);
  return deps.link.call(to, { action, payload, timeoutMs, waitMs: WAIT_MS });
}

/** The record of now, where the charger has still the connection of this one. */
export async function sameConnection(
  { reports }: Pick<AfterBootDeps, 'reports'>,
  { chargerId, incarnationId, connection }: Pick<Charger, 'chargerId' | 'incarnationId' | 'connection'>,
): Promise<Charger | undefined> {
  const [current] = await reports.loadChargers([chargerId]);
  if (!current?.connection.active || current.incarnationId !== incarnationId) return undefined;
  return current.connection.position[0] === connection.position[0] ? current : undefined;
}
