// Webhooks of the client: how each stands, and new ones.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { DataTable, Pager, type Column } from '../../parts/data-table';
import { numberOf } from '../../parts/format';
import { Empty, FailureNote } from '../../parts/notes';
import { Ago } from '../../parts/time';
import { useTitle } from '../../parts/use-title';
import { webhooksTexts } from '../../texts/webhooks';
import { NewWebhook } from './new-webhook';
import { WebhookStatus } from './webhook-status';
import { PAGE_SIZE } from './webhooks-search';

type Webhook = Schemas['Webhook'];

export function WebhooksScreen() {
  useTitle(webhooksTexts.title);
  const { page = 1 } = useSearch({ from: '/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const client = useQueryClient();
  const mayWrite = useMay('webhooks:write');
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['webhooks', page],
    queryFn: ({ signal }) => dataOf(api.GET('/v2/webhooks', { params: { query: { page, limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  return (
    <>
      <header className="screen-head">
        <h1>{webhooksTexts.title}</h1>
        {mayWrite && (
          <Button kind="primary" icon={<Plus />} onClick={() => setAdding(true)}>
            {webhooksTexts.create}
          </Button>
        )}
      </header>
      {data === undefined && error !== null ? (
        <FailureNote title={webhooksTexts.failed} error={error} onRetry={() => void refetch()} />
      ) : data?.totalRecords === 0 ? (
        <Empty title={webhooksTexts.empty}>
          <p>{webhooksTexts.emptyText}</p>
        </Empty>
      ) : (
        <div className="card">
          <DataTable
            label={webhooksTexts.title}
            columns={COLUMNS}
            rows={data?.items}
            keyOf={({ id }) => id}
            isFaded={isPlaceholderData}
          />
          <Pager
            page={page}
            limit={PAGE_SIZE}
            list={data}
            onPage={(next) => void navigate({ search: { page: next } })}
          />
        </div>
      )}
      <NewWebhook
        open={isAdding}
        onClose={() => setAdding(false)}
        onCreated={() => void client.invalidateQueries({ queryKey: ['webhooks'] })}
      />
    </>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  {
    label: webhooksTexts.name,
    cell: ({ id, description, url }) => (
      <>
        <Link to="/webhooks/$webhookId" params={{ webhookId: id }}>
          {description === '' ? url : description}
        </Link>
        {description !== '' && <div className="muted webhook-url">{url}</div>}
      </>
    ),
  },
  { label: webhooksTexts.status, cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  {
    label: webhooksTexts.waiting,
    cell: ({ waiting }) => numberOf(waiting),
    isNumber: true,
    below: 'labelled',
  },
  { label: webhooksTexts.parked, cell: ({ parked }) => numberOf(parked), isNumber: true, below: 'labelled' },
  {
    label: webhooksTexts.lastSuccess,
    cell: ({ lastSuccessAt }) => (lastSuccessAt === null ? webhooksTexts.never : <Ago at={lastSuccessAt} />),
    rank: 3,
  },
];
