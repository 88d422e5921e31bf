import type { Clock } from '@busbar/core';
import type { ConnectionAttempt, ConnectionAttemptFilter, ConnectionAttemptReader } from './connection-attempt';
import { toTimestamp } from '../../timestamp';
import type { Page, PageRequest } from '../../page';

const RETENTION_MS = 86_400_000;

export interface ListAttemptsDeps {
  readonly attempts: ConnectionAttemptReader;
  readonly clock: Clock;
}

/** A page of the rejected attempts of the last 24 hours. */
export function listConnectionAttempts(
  { attempts, clock }: ListAttemptsDeps,
  filter: ConnectionAttemptFilter,
  page: PageRequest<'at'>,
): Promise<Page<ConnectionAttempt>> {
  const oldest = toTimestamp(new Date(clock.now().getTime() - RETENTION_MS));
  const from = filter.from !== undefined && filter.from > oldest ? filter.from : oldest;
  return attempts.list({ ...filter, from }, page);
}
