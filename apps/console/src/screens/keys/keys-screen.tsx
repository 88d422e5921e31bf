// API keys of the client: what each may do, when it was last used, new ones and revocation.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { useMay, useSession } from '../../api/use-session';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { DataTable, Pager, type Column } from '../../parts/data-table';
import { FailureNote } from '../../parts/notes';
import { Ago, DateTime } from '../../parts/time';
import { useTitle } from '../../parts/use-title';
import { keysTexts } from '../../texts/keys';
import './keys.css';
import { NewKey } from './new-key';

type Key = Schemas['ApiKey'];

const PAGE_SIZE = 50;

export function KeysScreen() {
  useTitle(keysTexts.title);
  const { page = 1 } = useSearch({ from: '/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const client = useQueryClient();
  const mayWrite = useMay('keys:write');
  const { keyId } = useSession();
  const [isAdding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<Key>();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['keys', page],
    queryFn: ({ signal }) => dataOf(api.GET('/v2/api-keys', { params: { query: { page, limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
  });
  const readAnew = () => client.invalidateQueries({ queryKey: ['keys'] });

  return (
    <>
      <header className="screen-head">
        <h1>{keysTexts.title}</h1>
        {mayWrite && (
          <Button kind="primary" icon={<Plus />} onClick={() => setAdding(true)}>
            {keysTexts.create}
          </Button>
        )}
      </header>
      {data === undefined && error !== null ? (
        <FailureNote title={keysTexts.failed} error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="card">
          <DataTable
            label={keysTexts.title}
            columns={columnsOf(keyId, mayWrite ? setRevoking : undefined)}
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
      <NewKey open={isAdding} onClose={() => setAdding(false)} onCreated={() => void readAnew()} />
      <Revoke apiKey={revoking} onClose={() => setRevoking(undefined)} onRevoked={readAnew} />
    </>
  );
}

interface RevokeProps {
  readonly apiKey: Key | undefined;
  readonly onClose: () => void;
  readonly onRevoked: () => Promise<void>;
}

/** The key of this very session only after its name was typed. */
function Revoke({ apiKey, onClose, onRevoked }: RevokeProps) {
  const { keyId } = useSession();
  const isOwn = apiKey?.id === keyId;
  async function revoke(): Promise<void> {
    await dataOf(api.DELETE('/v2/api-keys/{keyId}', { params: { path: { keyId: apiKey?.id ?? '' } } }));
    await onRevoked();
  }
  return (
    <Confirm
      open={apiKey !== undefined}
      onClose={onClose}
      title={keysTexts.revokeTitle(apiKey?.name ?? '')}
      failed={keysTexts.revokeFailed}
      action={keysTexts.revoke}
      {...(isOwn ? { typed: apiKey.name } : {})}
      onConfirm={revoke}
    >
      {isOwn ? keysTexts.revokeOwn : keysTexts.revokeText}
    </Confirm>
  );
}

function columnsOf(ownId: string, onRevoke: ((key: Key) => void) | undefined): readonly Column<Key>[] {
  const columns: readonly Column<Key>[] = [
    {
      label: keysTexts.name,
      cell: ({ id, name }) => (
        <>
          <strong>{name}</strong>
          {id === ownId && <span className="muted"> {keysTexts.own}</span>}
        </>
      ),
    },
    {
      label: keysTexts.permissions,
      cell: ({ permissions }) => <Permissions permissions={permissions} />,
      below: 'labelled',
    },
    {
      label: keysTexts.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? keysTexts.neverUsed : <Ago at={lastUsedAt} />),
    },
    {
      label: keysTexts.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? keysTexts.neverExpires : <DateTime at={expiresAt} />),
      below: 'labelled',
    },
  ];
  if (onRevoke === undefined) return columns;
  const revoke: Column<Key> = {
    label: keysTexts.actions,
    isNumber: true,
    cell: (key) => (
      <Button size="s" kind="danger" aria-label={keysTexts.revokeTitle(key.name)} onClick={() => onRevoke(key)}>
        {keysTexts.revoke}
      </Button>
    ),
  };
  return [...columns, revoke];
}

function Permissions({ permissions }: { readonly permissions: readonly string[] }) {
  return (
    <ul className="permissions">
      {permissions.map((permission) => (
        <li key={permission}>
          <code>{permission}</code>
        </li>
      ))}
    </ul>
  );
}
