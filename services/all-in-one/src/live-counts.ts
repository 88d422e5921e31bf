// The figures of the start page, over all clients. They are for this machine alone: a stranger must not learn them.
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@busbar/core';
import type { StatisticsReader } from '@busbar/domain/history';
import { addressOf, type ProxyTrust } from '@busbar/http';
import type { Gateway } from '@busbar/ocpp-gateway';
import { isLoopback } from '@busbar/runtime';

export interface LiveCounts {
  readonly chargers: number;
  readonly connected: number;
  readonly sessions: number;
  /** Messages from chargers since this process started. */
  readonly messages: number;
}

/** Pages that are opened more often share a read. */
const REREAD_MS = 1_000;
const WITHIN_MS = 2_000;
/** A proxy sets one of these, also one that TRUSTED_PROXIES does not name. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

export interface LiveCountsDeps {
  readonly statistics: Pick<StatisticsReader, 'totals'>;
  readonly gateway: Pick<Gateway, 'counts'>;
  readonly clock: Clock;
}

/** Reads the counts at most once a second, however many ask. Undefined where the store does not respond within 2 s. */
export function createLiveCounts({
  statistics,
  gateway,
  clock,
}: LiveCountsDeps): () => Promise<LiveCounts | undefined> {
  let latest: { readonly at: number; readonly counts: Promise<LiveCounts | undefined> } | undefined;
  const read = async (): Promise<LiveCounts | undefined> => {
    const late = new Promise<undefined>((resolve) => clock.after(WITHIN_MS, () => resolve(undefined)));
    const totals = await Promise.race([statistics.totals().catch(() => undefined), late]);
    const { connections: connected, frames: messages } = gateway.counts();
    return totals && { chargers: totals.chargers, sessions: totals.sessionsInProgress, connected, messages };
  };
  return () => {
    const at = clock.now().getTime();
    if (latest === undefined || Math.abs(at - latest.at) >= REREAD_MS) latest = { at, counts: read() };
    return latest.counts;
  };
}

/**
 * Returns whether the request comes from this machine, at loopback or at one of its own addresses, with no proxy in
 * between.
 */
export function isFromThisMachine(request: IncomingMessage, isTrustedProxy: ProxyTrust): boolean {
  const { remoteAddress, localAddress } = request.socket;
  if (remoteAddress === undefined || isTrustedProxy(remoteAddress)) return false;
  if (FORWARDING.some((header) => header in request.headers)) return false;
  // A connection to an own address begins at that address.
  return remoteAddress === localAddress || isLoopback(addressOf(request, isTrustedProxy) ?? '');
}
