// One webhook: how it stands, what its receiver answered, what was parked, and every way to send events again.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, versionedDataOf, type Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import { Fact } from '../../parts/card';
import { numberOf } from '../../parts/format';
import { FailureNote } from '../../parts/notes';
import { Ago, DateTime } from '../../parts/time';
import { useTitle } from '../../parts/use-title';
import { useSitePath } from '../../records/sites';
import { webhooksTexts } from '../../texts/webhooks';
import { Attempts } from './attempts';
import { Parked } from './parked';
import { Recipe } from './recipe';
import { WebhookActions } from './webhook-actions';
import { WebhookStatus } from './webhook-status';

type Webhook = Schemas['Webhook'];
const words = webhooksTexts;

export function WebhookScreen() {
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' });
  const mayWrite = useMay('webhooks:write');
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook', webhookId],
    queryFn: ({ signal }) =>
      versionedDataOf(api.GET('/v2/webhooks/{webhookId}', { params: { path: { webhookId } }, signal })),
    refetchInterval: 2_000,
  });
  const webhook = data?.record;
  const title = webhook === undefined ? words.one : webhook.description === '' ? webhook.url : webhook.description;
  useTitle(title);
  if (webhook === undefined && error !== null) {
    return <FailureNote isWhole title={words.oneFailed} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <header className="webhook-head">
        <nav className="webhook-crumbs" aria-label={words.title}>
          <Link to="/webhooks">{words.title}</Link>
        </nav>
        <div className="webhook-title">
          <h1>{title}</h1>
          {webhook !== undefined && <WebhookStatus webhook={webhook} />}
        </div>
      </header>
      {webhook !== undefined && (
        <div className="stack">
          <section className="card webhook-card" aria-label={words.status}>
            <Facts webhook={webhook} />
            {mayWrite && <WebhookActions webhook={webhook} etag={data?.etag ?? '*'} />}
          </section>
          <Parked webhook={webhook} mayWrite={mayWrite} />
          <Attempts webhook={webhook} mayWrite={mayWrite} />
          {webhook.format === 'standard' && <Recipe />}
        </div>
      )}
    </>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  const { url, format, types, chargerIds, siteIds, waiting, parked, lastSuccessAt, gap } = webhook;
  const { failingSince, nextAttemptAt, oldestWaitingAt } = webhook;
  return (
    <dl className="facts">
      <Fact label={words.url}>{url}</Fact>
      <Fact label={words.format}>{words.formats[format]}</Fact>
      <Fact label={words.types}>
        {types.join(', ')}
        {types.includes('*') && <div className="muted">{words.allTypes}</div>}
      </Fact>
      {chargerIds !== null && <Fact label={words.chargerIds}>{chargerIds.join(', ')}</Fact>}
      {siteIds !== null && (
        <Fact label={words.sites}>
          {siteIds.map((siteId) => (
            <SitePath key={siteId} siteId={siteId} />
          ))}
          {webhook.includeSubsites && words.includeSubsites}
        </Fact>
      )}
      <Fact label={words.waiting}>
        {numberOf(waiting)}
        {oldestWaitingAt !== null && (
          <span className="muted">
            {' '}
            {words.oldest} <DateTime at={oldestWaitingAt} />
          </span>
        )}
      </Fact>
      <Fact label={words.parked}>{numberOf(parked)}</Fact>
      <Fact label={words.lastSuccess}>{lastSuccessAt === null ? words.never : <Ago at={lastSuccessAt} />}</Fact>
      {failingSince !== null && (
        <Fact label={words.failingSince}>
          <DateTime at={failingSince} />
        </Fact>
      )}
      {nextAttemptAt !== null && (
        <Fact label={words.nextAttempt}>
          <DateTime at={nextAttemptAt} />
        </Fact>
      )}
      {gap !== null && (
        <Fact label={words.gap}>
          <DateTime at={gap.from} /> – <DateTime at={gap.to} />
        </Fact>
      )}
    </dl>
  );
}

function SitePath({ siteId }: { readonly siteId: number }) {
  return <div>{useSitePath(siteId)}</div>;
}
