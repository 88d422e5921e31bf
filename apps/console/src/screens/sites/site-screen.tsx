// One site: where it is, the sites below it, and its chargers with their states.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { api, versionedDataOf, type Schemas } from '../../api/client';
import { isFailure } from '../../api/problem';
import { useMay } from '../../api/use-session';
import { Fact } from '../../parts/card';
import { Empty, FailureNote, Skeleton } from '../../parts/notes';
import { useTitle } from '../../parts/use-title';
import { shownOf, valuesOf } from '../../records/record-fields';
import { recordsTexts } from '../../texts/records';
import { sitesTexts as words } from '../../texts/sites';
import { SiteActions } from './site-actions';
import { SiteChargers } from './site-chargers';
import { SITE_FIELDS } from './site-fields';
import { SiteTree, useSitesBelow } from './site-tree';
import './sites.css';

type Site = Schemas['Site'];

export function SiteScreen() {
  const { siteId } = useParams({ from: '/sites/$siteId' });
  const id = Number(siteId);
  const maySeeChargers = useMay('chargers:read');
  const { data, error, refetch } = useQuery({
    queryKey: ['sites', 'one', id],
    queryFn: ({ signal }) =>
      versionedDataOf(api.GET('/v2/sites/{siteId}', { params: { path: { siteId: id } }, signal })),
  });
  useTitle(data?.record.name ?? words.title);
  if (data === undefined) {
    if (error === null) return <Skeleton width="220px" />;
    if (isFailure(error) && ['not_found', 'invalid_site_id', 'invalid_request'].includes(error.code)) {
      return (
        <Empty title={words.notFound} isWhole>
          <p>{words.notFoundText}</p>
          <Link to="/sites">{words.title}</Link>
        </Empty>
      );
    }
    return <FailureNote isWhole title={words.oneFailed} error={error} onRetry={() => void refetch()} />;
  }
  const site = data.record;
  return (
    <>
      <header className="site-head">
        <Crumbs site={site} />
        <div className="screen-head">
          <h1>{site.name}</h1>
          <SiteActions site={site} etag={data.etag} />
        </div>
      </header>
      <div className="stack">
        <section className="card site-card" aria-label={words.facts}>
          <Facts site={site} />
        </section>
        {site.numberOfSubsites > 0 && <Below siteId={site.id} />}
        {maySeeChargers && <SiteChargers siteId={site.id} />}
      </div>
    </>
  );
}

function Crumbs({ site: { parentSiteId, parentName } }: { readonly site: Site }) {
  return (
    <nav className="site-crumbs" aria-label={words.path}>
      <Link to="/sites">{words.title}</Link>
      {parentSiteId !== null && (
        <>
          <ChevronRight aria-hidden />
          <Link to="/sites/$siteId" params={{ siteId: String(parentSiteId) }}>
            {parentName ?? String(parentSiteId)}
          </Link>
        </>
      )}
    </nav>
  );
}

/** What is set. */
function Facts({ site }: { readonly site: Site }) {
  const values = valuesOf(SITE_FIELDS, site);
  return (
    <dl className="facts">
      <Fact label={words.id}>{site.id}</Fact>
      {SITE_FIELDS.flatMap((field) => {
        const value = values[field.name] ?? '';
        if (value === '' || field.name === 'name') return [];
        return [
          <Fact key={field.name} label={field.label}>
            {shownOf(field, value, recordsTexts.yesNo)}
          </Fact>,
        ];
      })}
    </dl>
  );
}

function Below({ siteId }: { readonly siteId: number }) {
  const { data, error, refetch } = useSitesBelow(siteId);
  return (
    <section className="card" aria-labelledby="sites-below">
      <header className="site-section">
        <h2 id="sites-below">{words.subsites}</h2>
      </header>
      {data === undefined && error !== null ? (
        <FailureNote title={words.failed} error={error} onRetry={() => void refetch()} />
      ) : (
        <SiteTree sites={data?.items} />
      )}
      {data?.hasNextPage === true && <p className="muted site-more">{words.more}</p>}
    </section>
  );
}
