// What the map keeps in its address: the place that it shows. Pure.

export interface MapSearch {
  /** Latitude, longitude and zoom, separated by commas. */
  readonly at?: string | undefined;
}

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  readonly zoom: number;
}

export const MAX_ZOOM = 19;
export const MIN_ZOOM = 2;
const DECIMALS = 5;
const AT = /^-?\d{1,2}(?:\.\d{1,6})?,-?\d{1,3}(?:\.\d{1,6})?,\d{1,2}$/;

export function parseMapSearch({ at }: Readonly<Record<string, unknown>>): MapSearch {
  return typeof at === 'string' && placeOf(at) !== undefined ? { at } : {};
}

/** Undefined where the text names no place. */
export function placeOf(at: string | undefined): Place | undefined {
  if (at === undefined || !AT.test(at)) return undefined;
  const [latitude = 0, longitude = 0, zoom = 0] = at.split(',').map(Number);
  const isValid = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom >= MIN_ZOOM && zoom <= MAX_ZOOM;
  return isValid ? { latitude, longitude, zoom } : undefined;
}

export function textOf({ latitude, longitude, zoom }: Place): string {
  return [latitude.toFixed(DECIMALS), longitude.toFixed(DECIMALS), String(zoom)].join(',');
}
