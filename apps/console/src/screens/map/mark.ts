// The element of a mark. Leaflet owns the place where it stands, so it is no component.
import { numberOf } from '../../parts/format';
import { toneOf, type State } from '../../parts/states';
import { texts } from '../../texts';
import { mapTexts as words } from '../../texts/map';
import { sumOf, type StateCounts } from '../../records/state-sums';
import { describeMark, titleOf, type MapSite } from './site-counts';

/** Beyond that a number says how many states are left out. */
const MAX_STATES = 3;

/** A link to the one site, or a button for several. */
export function createMark(sites: readonly MapSite[], hrefOf: (site: MapSite) => string): HTMLElement {
  const [only] = sites;
  if (only === undefined || sites.length > 1) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'map-mark map-mark-several';
    return button;
  }
  const link = document.createElement('a');
  link.className = 'map-mark';
  link.href = hrefOf(only);
  link.draggable = false;
  return link;
}

/** Writes title and counts anew. */
export function fillMark(
  mark: HTMLElement,
  sites: readonly MapSite[],
  countsOf: (site: MapSite) => StateCounts | undefined,
): void {
  const sums = sumOf(sites.map(countsOf));
  const label = describeMark(sites, sums);
  if (mark.title === label) return;
  mark.title = label;
  const states = sums.slice(0, MAX_STATES).map(([state, count]) => stateOf(state, count));
  const left = sums.length - states.length;
  const seen = textIn('map-mark-seen', '');
  seen.ariaHidden = 'true';
  seen.append(
    textIn('map-mark-title', titleOf(sites)),
    ...states,
    ...(left > 0 ? [textIn('map-mark-further', words.further(left))] : []),
  );
  mark.replaceChildren(seen, textIn('hidden-text', label));
}

function stateOf(state: State, count: number): HTMLElement {
  return textIn(`state-count tone-${toneOf(state)}`, `${texts.stateLetters[state]} ${numberOf(count)}`);
}

function textIn(className: string, text: string): HTMLElement {
  const element = document.createElement('span');
  element.className = className;
  element.textContent = text;
  return element;
}
