// Tags of the client: whether each is valid, new ones, and many at once by CSV.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Upload } from 'lucide-react';
import { useCallback, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { MAX_TAG } from '../../api/limits';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { csvLine } from '../../parts/csv';
import { CsvDownload, type CsvPage } from '../../parts/csv-download';
import { DataTable, Pager, type Column } from '../../parts/data-table';
import { Empty, FailureNote } from '../../parts/notes';
import { dateTimeOf } from '../../parts/format';
import { SearchField } from '../../parts/search-field';
import { TagText } from '../../parts/tag-text';
import { DateTime, useNow } from '../../parts/time';
import '../../parts/toolbar.css';
import { useTitle } from '../../parts/use-title';
import { RecordDialog } from '../../records/record-dialog';
import { texts } from '../../texts';
import { tagsTexts as words } from '../../texts/tags';
import { ImportTags } from './import-tags';
import { TagActions } from './tag-actions';
import { NEW_TAG_FIELDS, tagStateOf, type TagState } from './tag-fields';
import { TAG_COLUMNS, tagLine, type TagInput } from './tags-csv';
import { PAGE_SIZE } from './tags-search';
import './tags.css';

type Tag = Schemas['Tag'];

export function TagsScreen() {
  useTitle(words.title);
  const { search, page = 1 } = useSearch({ from: '/tags' });
  const client = useQueryClient();
  const mayWrite = useMay('tags:write');
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['tags', search, page],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v2/tags', { params: { query: { ...queryOf(search), page, limit: PAGE_SIZE } }, signal })),
    placeholderData: keepPreviousData,
  });
  const readAnew = () => void client.invalidateQueries({ queryKey: ['tags'] });
  const isEmpty = data?.totalRecords === 0 && search === undefined;
  return (
    <>
      <Head search={search} mayWrite={mayWrite} onChanged={readAnew} />
      {data === undefined && error !== null ? (
        <FailureNote title={words.failed} error={error} onRetry={() => void refetch()} />
      ) : isEmpty ? (
        <Empty title={words.empty}>
          <p>{words.emptyText}</p>
        </Empty>
      ) : (
        <List page={page} search={search} data={data} isFaded={isPlaceholderData} onChanged={readAnew} />
      )}
    </>
  );
}

function queryOf(search: string | undefined) {
  return { sortKey: 'idTag' as const, ...(search === undefined ? {} : { search }) };
}

interface HeadProps {
  readonly search: string | undefined;
  readonly mayWrite: boolean;
  readonly onChanged: () => void;
}

function Head({ search, mayWrite, onChanged }: HeadProps) {
  const [open, setOpen] = useState<'new' | 'import'>();
  const close = () => setOpen(undefined);
  async function readPage(after: string | undefined, signal: AbortSignal): Promise<CsvPage> {
    const query = { ...queryOf(search), limit: 100, ...(after === undefined ? {} : { after }) };
    const { items, totalRecords, nextCursor } = await dataOf(api.GET('/v2/tags', { params: { query }, signal }));
    return { lines: items.map(tagLine), total: totalRecords, nextCursor };
  }
  return (
    <header className="screen-head">
      <h1>{words.title}</h1>
      <div className="screen-actions">
        <CsvDownload words={words} fileName="tags.csv" header={csvLine([...TAG_COLUMNS])} readPage={readPage} />
        {mayWrite && (
          <>
            <Button icon={<Upload />} onClick={() => setOpen('import')}>
              {words.read}
            </Button>
            <Button kind="primary" icon={<Plus />} onClick={() => setOpen('new')}>
              {words.create}
            </Button>
          </>
        )}
      </div>
      <RecordDialog
        open={open === 'new'}
        title={words.create}
        fields={NEW_TAG_FIELDS}
        stored={undefined}
        action={words.createNow}
        failed={words.createFailed}
        send={(tag) => dataOf(api.POST('/v2/tags', { body: tag as TagInput }))}
        onClose={close}
        onDone={onChanged}
      />
      <ImportTags open={open === 'import'} onClose={close} onStored={onChanged} />
    </header>
  );
}

interface ListProps {
  readonly page: number;
  readonly search: string | undefined;
  readonly data: Schemas['TagPage'] | undefined;
  readonly isFaded: boolean;
  readonly onChanged: () => void;
}

function List({ page, search, data, isFaded, onChanged }: ListProps) {
  const navigate = useNavigate({ from: '/tags' });
  const mayWrite = useMay('tags:write');
  const maySeeSessions = useMay('sessions:read');
  const onSearch = useCallback(
    (text: string | undefined) => void navigate({ search: { search: text }, replace: true }),
    [navigate],
  );
  const lastUse = maySeeSessions ? LAST_USE_WITH_SESSIONS : LAST_USE;
  const columns = [...COLUMNS, lastUse, ...(mayWrite ? [actionsColumn(onChanged)] : [])];
  return (
    <section className="card" aria-label={words.title}>
      <div className="toolbar">
        <SearchField label={words.search} value={search} onChange={onSearch} maxLength={MAX_TAG} />
      </div>
      {data?.totalRecords === 0 ? (
        <Empty title={words.nothing(search ?? '')}>
          <Button onClick={() => onSearch(undefined)}>{texts.common.clearFilters}</Button>
        </Empty>
      ) : (
        <DataTable
          label={words.title}
          columns={columns}
          rows={data?.items}
          keyOf={({ idTag }) => idTag}
          isFaded={isFaded}
        />
      )}
      <Pager
        page={page}
        limit={PAGE_SIZE}
        list={data}
        onPage={(next) => void navigate({ search: (was) => ({ ...was, page: next }) })}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Tag>[] = [
  {
    label: words.tag,
    cell: ({ idTag, tokenName }) => (
      <>
        <TagText tag={idTag} />
        {tokenName !== null && <div className="tag-name">{tokenName}</div>}
      </>
    ),
  },
  { label: words.state, cell: (tag) => <State tag={tag} /> },
  { label: words.validity, cell: (tag) => <Validity tag={tag} />, below: 'labelled' },
  {
    label: words.group,
    cell: ({ parentIdTag }) => (parentIdTag === null ? texts.common.none : <TagText tag={parentIdTag} />),
    below: 'labelled',
  },
];

const LAST_USE: Column<Tag> = {
  label: words.lastUse,
  below: 'labelled',
  cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.neverUsed : <DateTime at={lastUsedAt} />),
};

/** The time leads to the sessions, for those who may see them. */
const LAST_USE_WITH_SESSIONS: Column<Tag> = {
  ...LAST_USE,
  cell: ({ idTag, lastUsedAt }) =>
    lastUsedAt === null ? (
      words.neverUsed
    ) : (
      <Link to="/sessions" search={{ tag: idTag }} aria-label={words.sessionsOf(idTag, dateTimeOf(lastUsedAt))}>
        <DateTime at={lastUsedAt} />
      </Link>
    ),
};

function actionsColumn(onChanged: () => void): Column<Tag> {
  return { label: words.actions, isNumber: true, cell: (tag) => <TagActions tag={tag} onChanged={onChanged} /> };
}

const TONES: Record<TagState, string> = { valid: 'good', blocked: 'bad', expired: 'idle', notYet: 'wait' };

function State({ tag }: { readonly tag: Tag }) {
  const state = tagStateOf(tag, useNow());
  return (
    <span className={`state-label tone-${TONES[state]}`}>
      <span className="state-dot" aria-hidden />
      {words.states[state]}
    </span>
  );
}

function Validity({ tag: { startDate, expiringDate } }: { readonly tag: Tag }) {
  if (startDate === null && expiringDate === null) return words.always;
  return (
    <>
      {startDate !== null && (
        <div>
          {words.fromOnly} <DateTime at={startDate} />
        </div>
      )}
      {expiringDate !== null && (
        <div>
          {words.untilOnly} <DateTime at={expiringDate} />
        </div>
      )}
    </>
  );
}
