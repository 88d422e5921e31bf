// Asks a charger of OCPP 2.x about sessions of which it has reported nothing since it connected again (rule 146): their end may be lost.
import { createConcurrencyLimiter, type Timer } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { placeOfSocket } from '@busbar/ocpp';
import type { Applied } from '../../pipeline/contract';
import { askCharger, sameConnection, type AfterBootDeps } from '../shared/after-boot';
import { reportedRequest, type Action, type RequestOf } from './route';

/** A charger that charges sends meter values more often. */
const SILENCE_MS = 600_000;
/** Chargers asked at the same time: a mass reconnect makes all of them due together. */
const CONCURRENCY = 10;
/** Chargers whose silence is measured; beyond it a charger is asked after a later reconnect. */
const MAX_WATCHED = 10_000;

interface Watch {
  /** Of the connection. The whole record would be stored for minutes. */
  readonly charger: Pick<Charger, 'chargerId' | 'incarnationId' | 'connection'>;
  /** The sockets of silent sessions, by the charger's id of their transaction. */
  readonly silent: Map<string, number>;
  readonly timer: Timer;
}

export type SilentSessionsDeps = Omit<AfterBootDeps, 'statusGraceMs'>;

export function createSilentSessions(deps: SilentSessionsDeps) {
  const watches = new Map<string, Watch>();
  const limiter = createConcurrencyLimiter({ concurrency: CONCURRENCY, maxQueue: MAX_WATCHED });

  function watch(charger: Charger): void {
    const { chargerId, incarnationId, connection, reported } = charger;
    const known = watches.get(chargerId);
    // A gateway may report its connections again.
    if (known?.charger.connection.position[0] === connection.position[0]) return;
    end(chargerId);
    const silent = new Map(
      Object.values(reported.ongoing).flatMap(({ device, socketId }) =>
        device === undefined ? [] : [[device.id, socketId] as const],
      ),
    );
    if (silent.size === 0 || watches.size >= MAX_WATCHED) return;
    const timer = deps.clock.after(SILENCE_MS, () => void askLater(chargerId));
    watches.set(chargerId, { charger: { chargerId, incarnationId, connection }, silent, timer });
  }

  function end(chargerId: string): void {
    watches.get(chargerId)?.timer.cancel();
    watches.delete(chargerId);
  }

  async function askLater(chargerId: string): Promise<void> {
    const due = watches.get(chargerId);
    if (due === undefined) return;
    try {
      await limiter.run(() => ask(due));
    } catch (error) {
      deps.logger.warn({ err: error, chargerId }, 'could not ask a charger about its sessions');
    } finally {
      if (watches.get(chargerId) === due) watches.delete(chargerId);
    }
  }

  async function ask({ charger, silent }: Watch): Promise<void> {
    const { chargerId } = charger;
    const current = await sameConnection(deps, charger);
    // A charger whose boot is not accepted is sent nothing but what an operator asks for.
    if (current === undefined || current.reported.boot?.status !== undefined) return;
    for (const { device } of Object.values(current.reported.ongoing)) {
      // It may report something while the others are asked about.
      if (device === undefined || !silent.has(device.id)) continue;
      const payload: RequestOf<'GetTransactionStatus'> = { transactionId: device.id };
      const answer = await askCharger(deps, current, { action: 'GetTransactionStatus' satisfies Action, payload });
      deps.logger.debug({ chargerId, outcome: answer?.outcome }, 'asked about a silent session');
      if (answer?.outcome !== 'answered') return;
    }
  }

  return {
    /** Finds reconnects in a batch and what is reported of sessions. Never waits. */
    follow(applied: readonly Applied[]): void {
      for (const { report, charger, isNew } of applied) {
        if (charger === undefined || !isNew) continue;
        if (report.kind === 'connected') watch(charger);
        else if (watches.size > 0) removeReported(report, watches.get(report.chargerId)?.silent);
        if (watches.get(report.chargerId)?.silent.size === 0) end(report.chargerId);
      }
    },
    stop(): void {
      for (const chargerId of [...watches.keys()]) end(chargerId);
    },
  };
}

/** Removes the sessions of which the charger reports something. */
function removeReported(report: Applied['report'], silent: Map<string, number> | undefined): void {
  if (silent === undefined || (report.kind !== 'report' && report.kind !== 'decision')) return;
  const event = reportedRequest('TransactionEvent', report);
  if (event !== undefined) silent.delete(event.transactionInfo.transactionId);
  const values = reportedRequest('MeterValues', report);
  if (values === undefined) return;
  for (const [id, socketId] of silent) if (placeOfSocket(socketId)?.evseId === values.evseId) silent.delete(id);
}
