// The map by Leaflet: tiles, and a mark for each site or group of near ones. Controls are the screen's own: Leaflet writes its own as
// markup, which the security policy refuses.
import { DivIcon, DomEvent, LatLngBounds, Map as LeafletMap, Marker, TileLayer, type LatLngExpression } from 'leaflet';
import { clustersOf, type Cluster } from './clusters';
import './leaflet.css';
import { MAX_ZOOM, MIN_ZOOM, type Place } from './map-search';
import { createMark, fillMark } from './mark';
import type { StateCounts } from '../../records/state-sums';
import type { MapSite } from './site-counts';

export interface MapViewOptions {
  readonly tilesUrl: string;
  /** Where the map begins; undefined: with all sites in sight. */
  readonly place: Place | undefined;
  readonly hrefOf: (site: MapSite) => string;
  readonly onOpen: (site: MapSite) => void;
  /** Sites so near to each other that no zoom separates them. */
  readonly onSamePlace: (sites: readonly MapSite[]) => void;
  readonly onMoved: (place: Place) => void;
  readonly onTiles: (areLoaded: boolean) => void;
}

export interface MapView {
  show(sites: readonly MapSite[], countsOf: (site: MapSite) => StateCounts | undefined): void;
  zoomBy(steps: number): void;
  showAll(): void;
  remove(): void;
}

/** Pixels between marks: the widest one of `map.css`. */
const RADIUS = 120;
/** Pixels around the sites that are in sight. */
const PADDING = 60;
/** One site, or several at one place, is shown with the streets around. */
const STREETS = 15;
const WORLD: LatLngExpression = [25, 10];

interface Placed {
  readonly marker: Marker;
  readonly element: HTMLElement;
}

export function createMapView(container: HTMLElement, options: MapViewOptions): MapView {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = createMap(container, isCalm);
  const placed = new Map<string, Placed>();
  let sites: readonly MapSite[] = [];
  let countsOf: (site: MapSite) => StateCounts | undefined = () => undefined;
  let hasBegun = options.place !== undefined;
  map.setView(options.place === undefined ? WORLD : latLngOf(options.place), options.place?.zoom ?? MIN_ZOOM);
  new TileLayer(options.tilesUrl, { maxZoom: MAX_ZOOM })
    .on('tileerror', () => options.onTiles(false))
    .on('tileload', () => options.onTiles(true))
    .addTo(map);
  map.on('moveend', () => {
    draw();
    const { lat, lng } = map.getCenter().wrap();
    options.onMoved({ latitude: lat, longitude: lng, zoom: map.getZoom() });
  });
  const resized = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  resized.observe(container);

  /** What stays keeps its element, and with it the focus. */
  function draw(): void {
    const zoom = map.getZoom();
    const inSight = map.getBounds().pad(0.2);
    const kept = new Set<string>();
    for (const cluster of clustersIn(map, sites, zoom)) {
      const at = map.unproject([cluster.x, cluster.y], zoom);
      if (!inSight.contains(at)) continue;
      const key = cluster.items.map(({ id }) => id).join();
      kept.add(key);
      const mark = placed.get(key) ?? add(cluster.items);
      placed.set(key, mark);
      mark.marker.setLatLng(at).addTo(map);
      fillMark(mark.element, cluster.items, countsOf);
    }
    for (const [key, { marker, element }] of placed) {
      if (kept.has(key)) continue;
      if (element === document.activeElement) container.focus({ preventScroll: true });
      marker.remove();
      placed.delete(key);
    }
  }

  function add(items: Cluster<MapSite>['items']): Placed {
    const element = createMark(items, options.hrefOf);
    const icon = new DivIcon({ className: 'map-place', html: element, iconSize: [0, 0] });
    const marker = new Marker(latLngOf(items[0]), { icon, interactive: false, keyboard: false });
    DomEvent.disableClickPropagation(element);
    DomEvent.on(element, 'click', (event) => {
      const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
      // The browser's own: another tab or window.
      if (items.length === 1 && (ctrlKey || metaKey || shiftKey)) return;
      event.preventDefault();
      if (items.length === 1) options.onOpen(items[0]);
      else separate(items);
    });
    return { marker, element };
  }

  function separate(items: Cluster<MapSite>['items']): void {
    if (clustersIn(map, items, MAX_ZOOM).length === 1) options.onSamePlace(items);
    else fit(items);
  }

  function fit(items: readonly MapSite[]): void {
    const bounds = new LatLngBounds(items.map(latLngOf));
    const maxZoom = bounds.getNorthEast().equals(bounds.getSouthWest()) ? STREETS : MAX_ZOOM;
    map.fitBounds(bounds, { padding: [PADDING, PADDING], maxZoom, animate: !isCalm });
  }

  return {
    show(now, counts) {
      [sites, countsOf] = [now, counts];
      if (!hasBegun && sites.length > 0) {
        hasBegun = true;
        const bounds = new LatLngBounds(sites.map(latLngOf));
        map.fitBounds(bounds, { padding: [PADDING, PADDING], maxZoom: STREETS, animate: false });
      }
      draw();
    },
    zoomBy: (steps) => void map.setZoom(map.getZoom() + steps),
    showAll: () => {
      if (sites.length > 0) fit(sites);
    },
    remove() {
      resized.disconnect();
      map.remove();
    },
  };
}

function latLngOf({ latitude, longitude }: Pick<MapSite, 'latitude' | 'longitude'>): [number, number] {
  return [latitude, longitude];
}

function createMap(container: HTMLElement, isCalm: boolean): LeafletMap {
  return new LeafletMap(container, {
    attributionControl: false,
    zoomControl: false,
    boxZoom: false,
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
    worldCopyJump: true,
    fadeAnimation: !isCalm,
    zoomAnimation: !isCalm,
    markerZoomAnimation: !isCalm,
    inertia: !isCalm,
  });
}

function clustersIn(map: LeafletMap, sites: readonly MapSite[], zoom: number): Cluster<MapSite>[] {
  const points = sites.map((item) => {
    const { x, y } = map.project(latLngOf(item), zoom);
    return { x, y, item };
  });
  return clustersOf(points, RADIUS);
}
