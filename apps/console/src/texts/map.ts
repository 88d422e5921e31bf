// Texts of the map of sites.
import { numberOf } from '../parts/format';
import { plural } from '../texts';

export const mapTexts = {
  title: 'Map',
  none: 'There is no map here',
  noneText: 'The operator of this service turns it on with the setting CONSOLE_TILES_URL.',
  configFailed: 'The settings of the map could not be read',
  failed: 'The sites could not be read',
  countsFailed: 'The states could not be read',
  tilesFailed: 'Parts of the map could not be loaded.',
  empty: 'No sites yet',
  emptyText: 'A site appears on the map once it has a latitude and a longitude.',
  toSites: 'Open the sites',
  label: 'Map of the sites. Arrow keys move it, plus and minus zoom.',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  showAll: 'Show all sites',
  here: (count: number) => `${plural(count, 'site', 'sites')} at one place`,
  close: 'Close the list of sites at one place',
  without: 'Without coordinates',
  withoutNone: 'Every site is on the map.',
  part: (count: number) => `Only the first ${numberOf(count)} sites are shown.`,
  chargersOf: (count: number) => plural(count, 'charger', 'chargers'),
  sitesOf: (count: number) => plural(count, 'site', 'sites'),
  mark: (title: string, counts: string) => `${title}: ${counts}`,
  further: (count: number) => `+${numberOf(count)}`,
} as const;
