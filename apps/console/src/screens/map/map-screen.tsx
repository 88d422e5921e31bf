// Sites on a map with the states of their sockets; those without coordinates beside it.
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useConsoleConfig, type ConsoleConfig } from '../../api/console-config';
import { IconButton } from '../../parts/button';
import { Empty, FailureNote, Skeleton } from '../../parts/notes';
import { useTitle } from '../../parts/use-title';
import { mapTexts as words } from '../../texts/map';
import './map.css';
import { SiteMap } from './site-map';
import type { MapSite } from './site-counts';
import { useSiteStates } from '../../records/site-states';
import { useMapSites, type MapSites } from './use-map-sites';

export function MapScreen() {
  useTitle(words.title);
  const config = useConsoleConfig();
  const tilesUrl = config.data?.tilesUrl;
  const { data, error, refetch } = useMapSites(typeof tilesUrl === 'string');
  if (tilesUrl === null) {
    return (
      <Empty title={words.none} isWhole>
        <p>{words.noneText}</p>
      </Empty>
    );
  }
  return (
    <>
      <header className="screen-head">
        <h1>{words.title}</h1>
      </header>
      {config.data === undefined && config.error !== null ? (
        <FailureNote title={words.configFailed} error={config.error} onRetry={() => void config.refetch()} />
      ) : data === undefined && error !== null ? (
        <FailureNote title={words.failed} error={error} onRetry={() => void refetch()} />
      ) : data === undefined || config.data === undefined || tilesUrl === undefined ? (
        <Skeleton width="40%" />
      ) : data.placed.length + data.without.length === 0 ? (
        <Empty title={words.empty}>
          <p>{words.emptyText}</p>
          <Link to="/sites">{words.toSites}</Link>
        </Empty>
      ) : (
        <Sites config={config.data} tilesUrl={tilesUrl} sites={data} />
      )}
    </>
  );
}

interface SitesProps {
  readonly config: ConsoleConfig;
  readonly tilesUrl: string;
  readonly sites: MapSites;
}

function Sites({ config, tilesUrl, sites }: SitesProps) {
  const [together, setTogether] = useState<readonly MapSite[]>([]);
  const states = useSiteStates(sites.placed);
  return (
    <>
      {states.data === undefined && states.error !== null && (
        <FailureNote title={words.countsFailed} error={states.error} onRetry={() => void states.refetch()} />
      )}
      <div className="map-screen">
        <section className="card map-card" aria-label={words.title}>
          <SiteMap
            tilesUrl={tilesUrl}
            attribution={config.tilesAttribution}
            sites={sites.placed}
            states={states.data}
            onSamePlace={setTogether}
          />
        </section>
        <div className="map-lists">
          {together.length > 0 && (
            <section className="card" aria-label={words.here(together.length)}>
              <header className="map-list-head">
                <h2>{words.here(together.length)}</h2>
                <IconButton label={words.close} onClick={() => setTogether([])}>
                  <X />
                </IconButton>
              </header>
              <SiteLinks sites={together} takesFocus />
            </section>
          )}
          <section className="card" aria-label={words.without}>
            <header className="map-list-head">
              <h2>{words.without}</h2>
            </header>
            {sites.without.length === 0 ? (
              <p className="map-list-none muted">{words.withoutNone}</p>
            ) : (
              <SiteLinks sites={sites.without} />
            )}
          </section>
          {sites.isPart && <p className="muted">{words.part(sites.placed.length + sites.without.length)}</p>}
        </div>
      </div>
    </>
  );
}

interface SiteLinksProps {
  readonly sites: readonly Pick<MapSite, 'id' | 'sitePath' | 'numberOfChargers'>[];
  /** Whether the first one takes the focus, as the answer to a press on a mark. */
  readonly takesFocus?: boolean;
}

function SiteLinks({ sites, takesFocus = false }: SiteLinksProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (takesFocus) list.current?.querySelector('a')?.focus();
  }, [takesFocus, sites]);
  return (
    <ul className="map-list" ref={list}>
      {sites.map(({ id, sitePath, numberOfChargers }) => (
        <li key={id}>
          <Link to="/sites/$siteId" params={{ siteId: String(id) }}>
            {sitePath}
          </Link>
          <span className="muted nowrap">{words.chargersOf(numberOfChargers)}</span>
        </li>
      ))}
    </ul>
  );
}
