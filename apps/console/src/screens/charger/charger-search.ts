// What the screen of a charger keeps in its address. Pure.

export const TABS = ['frames', 'sessions', 'configuration', 'held', 'states', 'registration'] as const;
export type TabKey = (typeof TABS)[number];

export interface ChargerSearch {
  readonly tab?: TabKey | undefined;
  /** The session that is open. */
  readonly session?: number | undefined;
}

export function parseChargerSearch(raw: Readonly<Record<string, unknown>>): ChargerSearch {
  const tab = TABS.find((key) => key === raw['tab']);
  const session = raw['session'];
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(typeof session === 'number' && Number.isSafeInteger(session) ? { session } : {}),
  };
}
