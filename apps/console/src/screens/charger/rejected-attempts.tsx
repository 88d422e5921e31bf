// Why a charger's attempts to connect were rejected, of the last 24 hours.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, dataOf } from '../../api/client';
import { useMay } from '../../api/use-session';
import { FailureNote } from '../../parts/notes';
import { Ago } from '../../parts/time';
import { texts } from '../../texts';
import type { Charger } from './use-charger';

const EACH_MS = 5_000;
const SHOWN = 5;

/** The last ones, the newest first. `from`: not before this time. */
function useAttempts(chargerId: string, from?: string) {
  return useQuery({
    queryKey: ['connection-attempts', chargerId, from],
    queryFn: ({ signal }) => {
      const query = { chargerId, limit: SHOWN, ...(from === undefined ? {} : { from }) };
      return dataOf(api.GET('/v2/connection-attempts', { params: { query }, signal }));
    },
    enabled: useMay('logs:read'),
    refetchInterval: EACH_MS,
  });
}

/** Of a charger that never connected: also that there were none. */
export function RejectedAttempts({ chargerId }: { readonly chargerId: string }) {
  const { data, error, refetch } = useAttempts(chargerId);
  return (
    <>
      {data === undefined && error !== null && (
        <FailureNote title={texts.charger.attemptsFailed} error={error} onRetry={() => void refetch()} />
      )}
      {data !== undefined && (
        <>
          <h3>{texts.charger.attempts}</h3>
          {data.items.length === 0 ? (
            <>
              <p className="muted">{texts.charger.noAttempts}</p>
              <EarlierAttempts />
            </>
          ) : (
            <Attempts items={data.items} />
          )}
        </>
      )}
    </>
  );
}

/** An attempt of an id that is not registered belongs to no client, so that the API does not have it. */
export function EarlierAttempts() {
  return (
    <p className="muted">
      {texts.charger.earlierAttempts} <code>npm run admin -- connections rejected</code>
    </p>
  );
}

/** Of a charger that was connected and is not: what was rejected since. Nothing where nothing was. */
export function RejectedSince({ charger: { chargerId, lastSeen } }: { readonly charger: Charger }) {
  const { data } = useAttempts(chargerId, lastSeen ?? undefined);
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section className="card never-connected" aria-label={texts.charger.attemptsSince}>
      <h2>{texts.charger.attemptsSince}</h2>
      <Attempts items={data.items} />
    </section>
  );
}

type Attempt = NonNullable<ReturnType<typeof useAttempts>['data']>['items'][number];

function Attempts({ items }: { readonly items: readonly Attempt[] }) {
  return (
    <>
      {items.some(({ reason }) => reason === 'unauthorized') && <PasswordRemedy />}
      <ul className="attempts">
        {items.map(({ at, remoteAddress, reason, requestId, count }) => (
          <li key={requestId}>
            <span className="muted nowrap">
              <Ago at={at} />
            </span>
            <span>
              <strong>{texts.charger.reasons[reason] ?? reason}</strong>
              <span className="muted"> {texts.charger.attemptFrom(remoteAddress, count)}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** For those who may set the password. */
function PasswordRemedy() {
  if (!useMay('chargers:write')) return null;
  return (
    <p>
      {texts.charger.passwordRemedy}{' '}
      <Link
        from="/chargers/$chargerId"
        to="."
        search={{ tab: 'registration' }}
        hash="authentication"
        resetScroll={false}
      >
        {texts.charger.toPassword}
      </Link>
    </p>
  );
}
