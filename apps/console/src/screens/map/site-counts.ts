// What a mark says of the sockets at its sites. Pure.
import { numberOf } from '../../parts/format';
import { texts } from '../../texts';
import { mapTexts as words } from '../../texts/map';
import type { State } from '../../parts/states';

export interface MapSite {
  readonly id: number;
  readonly name: string;
  /** With the names of the sites above. */
  readonly sitePath: string;
  readonly numberOfChargers: number;
  readonly latitude: number;
  readonly longitude: number;
}

export function titleOf(sites: readonly MapSite[]): string {
  const [first] = sites;
  return sites.length === 1 && first !== undefined ? first.name : words.sitesOf(sites.length);
}

/** In words: "Harbour: 2 chargers, 3 Available, 1 Charging". */
export function describeMark(sites: readonly MapSite[], sums: readonly (readonly [State, number])[]): string {
  const chargers = sites.reduce((sum, { numberOfChargers }) => sum + numberOfChargers, 0);
  const parts = sums.map(([state, count]) => `${numberOf(count)} ${texts.states[state]}`);
  return words.mark(titleOf(sites), [words.chargersOf(chargers), ...parts].join(', '));
}
