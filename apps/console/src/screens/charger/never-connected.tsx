import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api/client';
import { useMay } from '../../api/use-session';
import { Copyable } from '../../parts/copy';
import { FailureNote } from '../../parts/notes';
import { ocppUrl } from '../../parts/ocpp-url';
import { Ago } from '../../parts/time';
import { texts } from '../../texts';

const EACH_MS = 5_000;
const SHOWN = 5;

/** For a charger that never connected: the address to configure, and why its last attempts were rejected. */
export function NeverConnected({ chargerId }: { readonly chargerId: string }) {
  const maySee = useMay('logs:read');
  const { data, error, refetch } = useQuery({
    queryKey: ['connection-attempts', chargerId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v2/connection-attempts', { params: { query: { chargerId, limit: SHOWN } }, signal })),
    enabled: maySee,
    refetchInterval: EACH_MS,
  });
  return (
    <section className="card never-connected">
      <h2>{texts.fleet.neverConnected}</h2>
      <p className="muted">{texts.charger.configure}</p>
      <Copyable text={ocppUrl(chargerId)} />
      {error !== null && (
        <FailureNote title={texts.charger.attemptsFailed} error={error} onRetry={() => void refetch()} />
      )}
      {maySee && data !== undefined && (
        <>
          <h3>{texts.charger.attempts}</h3>
          {data.items.length === 0 ? (
            <p className="muted">{texts.charger.noAttempts}</p>
          ) : (
            <ul className="attempts">
              {data.items.map(({ at, remoteAddress, reason, requestId, count }) => (
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
          )}
        </>
      )}
    </section>
  );
}
