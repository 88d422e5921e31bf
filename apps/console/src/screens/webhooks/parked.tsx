// Parked events: refused for the last time. Those of a page can be sent again together: it is the most that one request takes.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, dataOf, type Schemas } from '../../api/client';
import { DataTable, Pager, type Column } from '../../parts/data-table';
import { FailureNote } from '../../parts/notes';
import { DateTime } from '../../parts/time';
import '../../parts/toolbar.css';
import { webhooksTexts } from '../../texts/webhooks';
import { EventName } from './attempts';
import { SendAgain } from './send-again';

const words = webhooksTexts;
const MAX_REDELIVERED = 100;

interface ParkedProps {
  readonly webhook: Schemas['Webhook'];
  readonly mayWrite: boolean;
}

export function Parked({ webhook, mayWrite }: ParkedProps) {
  const { parked: wanted = 1 } = useSearch({ from: '/webhooks/$webhookId' });
  const navigate = useNavigate({ from: '/webhooks/$webhookId' });
  // There are fewer pages when some were sent again.
  const page = Math.max(1, Math.min(wanted, Math.ceil(webhook.parked / MAX_REDELIVERED)));
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook', webhook.id, 'parked', webhook.parked, page],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v2/webhooks/{webhookId}/parked', {
          params: { path: { webhookId: webhook.id }, query: { limit: MAX_REDELIVERED, page } },
          signal,
        }),
      ),
    enabled: webhook.parked > 0,
    refetchInterval: 5_000,
  });
  if (webhook.parked === 0) return null;
  if (data === undefined && error !== null) {
    return <FailureNote title={words.parkedFailed} error={error} onRetry={() => void refetch()} />;
  }
  const eventIds = data?.items.map(({ eventId }) => eventId) ?? [];
  return (
    <section className="card" aria-labelledby="parked">
      <div className="toolbar">
        <h2 id="parked">{words.parkedTitle(webhook.parked)}</h2>
        {mayWrite && webhook.enabled && eventIds.length > 0 && (
          <span className="toolbar-end">
            <SendAgain webhookId={webhook.id} eventIds={eventIds} label={words.sendAllAgain(eventIds.length)} />
          </span>
        )}
      </div>
      <DataTable label={words.parked} columns={COLUMNS} rows={data?.items} keyOf={({ eventId }) => eventId} />
      <Pager
        label={words.parkedPages}
        page={page}
        limit={MAX_REDELIVERED}
        list={data}
        onPage={(parked) => void navigate({ search: (was) => ({ ...was, parked }) })}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Schemas['ParkedEvent']>[] = [
  { label: words.parkedAt, cell: ({ parkedAt }) => <DateTime at={parkedAt} /> },
  { label: words.event, cell: ({ eventType, chargerId }) => <EventName type={eventType} chargerId={chargerId} /> },
  { label: words.lastError, cell: ({ lastError }) => lastError },
  { label: words.attempts, cell: ({ attempts }) => attempts, isNumber: true, rank: 2 },
];
