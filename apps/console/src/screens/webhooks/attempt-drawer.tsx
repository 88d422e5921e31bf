// One attempt in full: what was sent and what the receiver answered.
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import { Fact } from '../../parts/card';
import { Dialog } from '../../parts/dialog';
import { Code, Json } from '../../parts/json';
import { FailureNote, Skeleton } from '../../parts/notes';
import { DateTime, useIsAhead } from '../../parts/time';
import { webhooksTexts as words } from '../../texts/webhooks';

interface DrawerProps {
  readonly webhook: Schemas['Webhook'];
  /** Undefined: the drawer is closed. */
  readonly attempt: Schemas['Delivery'] | undefined;
  /** Ids of attempts whose event may be tried again at the time that they name: it was not tried since. */
  readonly waiting: ReadonlySet<string>;
  readonly onClose: () => void;
}

export function AttemptDrawer({ webhook, attempt, waiting, onClose }: DrawerProps) {
  return (
    <Dialog open={attempt !== undefined} onClose={onClose} title={words.attempt} kind="drawer">
      {attempt !== undefined && (
        <div className="stack">
          <h3>{words.request}</h3>
          {attempt.request === null ? (
            <p className="muted">{words.noRequest}</p>
          ) : (
            <>
              <Code text={headOf(attempt.request)} />
              <Body webhook={webhook} eventId={attempt.eventId} body={attempt.request.body} />
            </>
          )}
          <h3>{words.answer}</h3>
          <Response attempt={attempt} isWaiting={waiting.has(attempt.id)} />
        </div>
      )}
    </Dialog>
  );
}

function headOf({ url, headers }: NonNullable<Schemas['Delivery']['request']>): string {
  return [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
}

interface BodyProps {
  readonly webhook: Schemas['Webhook'];
  readonly eventId: string;
  readonly body: string | null;
}

/** The body of the standard format is the event; a push message is made from it. A test is not in the feed: its body is kept. */
function Body({ webhook, eventId, body }: BodyProps) {
  const maySee = useMay('events:read');
  const { data, error, refetch } = useQuery({
    queryKey: ['events', 'one', eventId],
    queryFn: ({ signal }) => dataOf(api.GET('/v2/events/{eventId}', { params: { path: { eventId } }, signal })),
    enabled: maySee && body === null,
    staleTime: Infinity,
  });
  if (body !== null) return <Json value={jsonOf(body)} />;
  if (!maySee) return null;
  if (error !== null) return <FailureNote title={words.bodyFailed} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton />;
  return (
    <>
      {webhook.format !== 'standard' && <p className="muted">{words.madeFrom}</p>}
      <Json value={data} />
    </>
  );
}

function jsonOf(body: string): unknown {
  return JSON.parse(body) as unknown;
}

function Response({ attempt, isWaiting }: { readonly attempt: Schemas['Delivery']; readonly isWaiting: boolean }) {
  const { outcome, httpStatus, error, responseBody, at, tookMs, nextAttemptAt } = attempt;
  return (
    <>
      <dl className="facts">
        <Fact label={words.outcome}>{words.outcomes[outcome]}</Fact>
        <Fact label={words.answer}>{httpStatus ?? error}</Fact>
        <Fact label={words.time}>
          <DateTime at={at} />
        </Fact>
        <Fact label={words.took}>{words.ms(tookMs)}</Fact>
        {isWaiting && nextAttemptAt !== null && <NextAttempt at={nextAttemptAt} />}
      </dl>
      {responseBody !== '' && <Code text={responseBody} />}
    </>
  );
}

function NextAttempt({ at }: { readonly at: string }) {
  if (!useIsAhead(at)) return null;
  return (
    <Fact label={words.nextAttempt}>
      <DateTime at={at} />
    </Fact>
  );
}
