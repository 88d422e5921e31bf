// Sites as a tree: those below a site are read when it is opened.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { api, dataOf, type Schemas } from '../../api/client';
import { IconButton } from '../../parts/button';
import { numberOf } from '../../parts/format';
import { FailureNote, Skeleton } from '../../parts/notes';
import { toneOf } from '../../parts/states';
import { useSiteStates } from '../../records/site-states';
import { sumOf, type StateCounts } from '../../records/state-sums';
import { texts } from '../../texts';
import { sitesTexts as words } from '../../texts/sites';
import './sites.css';

type Site = Schemas['Site'];

/** The limit of a page: a site with more below it is searched. */
const MAX_BELOW = 100;

interface TreeProps {
  /** Undefined: not read yet. */
  readonly sites: readonly Site[] | undefined;
  /** A site that was found stands alone: its path says where. */
  readonly isFound?: boolean;
}

export function SiteTree({ sites, isFound = false }: TreeProps) {
  const states = useSiteStates(sites);
  return (
    <ul className="site-tree" aria-label={words.title} aria-busy={sites === undefined}>
      {sites === undefined ? (
        <li className="site-row">
          <Skeleton width="40%" />
        </li>
      ) : (
        sites.map((site) => <Branch key={site.id} site={site} isFound={isFound} counts={states.data?.get(site.id)} />)
      )}
    </ul>
  );
}

interface BranchProps {
  readonly site: Site;
  readonly isFound: boolean;
  readonly counts: StateCounts | undefined;
}

function Branch({ site, isFound, counts }: BranchProps) {
  const { id, name, city, sitePath, numberOfChargers, numberOfSubsites } = site;
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div className="site-row">
        {numberOfSubsites > 0 ? (
          <IconButton
            label={isOpen ? words.close(name) : words.open(name)}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <ChevronDown /> : <ChevronRight />}
          </IconButton>
        ) : (
          <span className="site-leaf" />
        )}
        <span className="site-name">
          <Link to="/sites/$siteId" params={{ siteId: String(id) }}>
            {isFound ? sitePath : name}
          </Link>
          {city !== null && <span className="muted"> · {city}</span>}
        </span>
        <SocketCounts counts={counts} />
        <span className="muted nowrap">{words.chargersOf(numberOfChargers)}</span>
      </div>
      {isOpen && <Below parentSiteId={id} />}
    </li>
  );
}

/** A number and the letter of each state; the word is read aloud and shown on hover. */
function SocketCounts({ counts }: { readonly counts: StateCounts | undefined }) {
  const sums = sumOf([counts]);
  if (sums.length === 0) return null;
  return (
    <ul className="site-states" aria-label={words.sockets}>
      {sums.map(([state, count]) => {
        const word = `${numberOf(count)} ${texts.states[state]}`;
        return (
          <li key={state} className={`state-count tone-${toneOf(state)}`} title={word}>
            <span aria-hidden>
              {texts.stateLetters[state]} {numberOf(count)}
            </span>
            <span className="hidden-text">{word}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Below({ parentSiteId }: { readonly parentSiteId: number }) {
  const { data, error, refetch } = useSitesBelow(parentSiteId);
  if (data === undefined && error !== null) {
    return <FailureNote title={words.failed} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <SiteTree sites={data?.items} />
      {data?.hasNextPage === true && <p className="muted site-more">{words.more}</p>}
    </>
  );
}

export function useSitesBelow(parentSiteId: number) {
  return useQuery({
    queryKey: ['sites', 'below', parentSiteId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v2/sites', { params: { query: { parentSiteId, sortKey: 'name', limit: MAX_BELOW } }, signal })),
  });
}
