// The cache of what was read, and the session in it.
import { QueryClient } from '@tanstack/react-query';
import { isTransient } from '../api/problem';
import { readSession } from '../api/session';

const MAX_RETRIES = 3;

export const SESSION = ['console-session'];
/** Its failures are shown by the head. */
export const sessionQuery = {
  queryKey: SESSION,
  queryFn: readSession,
  staleTime: Infinity,
  meta: { showsFailure: true },
};

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // Requests are sent while the browser believes to be offline too: a service on this machine may respond.
        networkMode: 'always',
        retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
        retryDelay: (failures) => Math.min(500 * 2 ** failures, 4_000),
      },
      mutations: { networkMode: 'always' },
    },
  });
}
