// The map itself with its buttons, and whom its tiles are of.
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { Maximize, Minus, Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useAnnounced } from '../../parts/announcer';
import { IconButton } from '../../parts/button';
import { mapTexts as words } from '../../texts/map';
import { placeOf, textOf } from './map-search';
import { createMapView, type MapView } from './map-view';
import type { StateCounts } from '../../records/state-sums';
import type { MapSite } from './site-counts';

interface SiteMapProps {
  readonly tilesUrl: string;
  readonly attribution: string;
  readonly sites: readonly MapSite[];
  readonly states: ReadonlyMap<number, StateCounts> | undefined;
  readonly onSamePlace: (sites: readonly MapSite[]) => void;
}

export function SiteMap({ tilesUrl, attribution, sites, states, onSamePlace }: SiteMapProps) {
  const { at } = useSearch({ from: '/map' });
  const navigate = useNavigate({ from: '/map' });
  const router = useRouter();
  const place = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<MapView>();
  const [areTilesLoaded, setTilesLoaded] = useState(true);
  useAnnounced(areTilesLoaded ? undefined : words.tilesFailed);
  const first = useRef(at);
  useEffect(() => {
    const container = place.current;
    if (container === null) return undefined;
    const linkTo = ({ id }: MapSite) => ({ to: '/sites/$siteId', params: { siteId: String(id) } }) as const;
    const created = createMapView(container, {
      tilesUrl,
      place: placeOf(first.current),
      hrefOf: (site) => router.buildLocation(linkTo(site)).publicHref,
      onOpen: (site) => void navigate(linkTo(site)),
      onSamePlace,
      onMoved: (to) => void navigate({ search: { at: textOf(to) }, replace: true, resetScroll: false }),
      onTiles: setTilesLoaded,
    });
    setView(created);
    return () => created.remove();
  }, [tilesUrl, navigate, router, onSamePlace]);
  useEffect(() => view?.show(sites, ({ id }) => states?.get(id)), [view, sites, states]);
  return (
    <div className="map">
      <div className="map-area" ref={place} role="region" aria-label={words.label} tabIndex={0} />
      <div className="map-buttons">
        <IconButton label={words.zoomIn} onClick={() => view?.zoomBy(1)}>
          <Plus />
        </IconButton>
        <IconButton label={words.zoomOut} onClick={() => view?.zoomBy(-1)}>
          <Minus />
        </IconButton>
        <IconButton label={words.showAll} onClick={() => view?.showAll()}>
          <Maximize />
        </IconButton>
      </div>
      {!areTilesLoaded && <p className="map-note">{words.tilesFailed}</p>}
      <p className="map-attribution">{attribution}</p>
    </div>
  );
}
