// Sites of the client as a tree; what a search finds as a list.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { useMay } from '../../api/use-session';
import { Button } from '../../parts/button';
import { Pager } from '../../parts/data-table';
import { Empty, FailureNote } from '../../parts/notes';
import { SearchField } from '../../parts/search-field';
import '../../parts/toolbar.css';
import { useTitle } from '../../parts/use-title';
import { texts } from '../../texts';
import { sitesTexts as words } from '../../texts/sites';
import { NewSite } from './new-site';
import { SiteTree } from './site-tree';
import { PAGE_SIZE } from './sites-search';

export function SitesScreen() {
  useTitle(words.title);
  const { search, page = 1 } = useSearch({ from: '/sites' });
  const mayWrite = useMay('sites:write');
  const [isAdding, setAdding] = useState(false);
  const which = search === undefined ? { showOnlyRootSites: true } : { search };
  const { data, error, refetch } = useQuery({
    queryKey: ['sites', 'list', search, page],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/v2/sites', {
          params: { query: { ...which, sortKey: 'name', page, limit: PAGE_SIZE } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <header className="screen-head">
        <h1>{words.title}</h1>
        {mayWrite && (
          <Button kind="primary" icon={<Plus />} onClick={() => setAdding(true)}>
            {words.create}
          </Button>
        )}
      </header>
      {data === undefined && error !== null ? (
        <FailureNote title={words.failed} error={error} onRetry={() => void refetch()} />
      ) : data?.totalRecords === 0 && search === undefined ? (
        <Empty title={words.empty}>
          <p>{words.emptyText}</p>
        </Empty>
      ) : (
        <List data={data} search={search} page={page} />
      )}
      <NewSite open={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

interface ListProps {
  readonly data: Schemas['SitePage'] | undefined;
  readonly search: string | undefined;
  readonly page: number;
}

function List({ data, search, page }: ListProps) {
  const navigate = useNavigate({ from: '/sites' });
  const onSearch = useCallback(
    (text: string | undefined) => void navigate({ search: { search: text }, replace: true }),
    [navigate],
  );
  return (
    <section className="card" aria-label={words.title}>
      <div className="toolbar">
        <SearchField label={words.search} value={search} onChange={onSearch} />
      </div>
      {data?.totalRecords === 0 ? (
        <Empty title={words.nothing(search ?? '')}>
          <Button onClick={() => onSearch(undefined)}>{texts.common.clearFilters}</Button>
        </Empty>
      ) : (
        <SiteTree sites={data?.items} isFound={search !== undefined} />
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
