// What screens want of the feed of events, and the one request that serves them all. Pure.

/** What a screen follows. Without `chargerIds`: all chargers of the client. */
export interface Need {
  readonly types: readonly string[];
  readonly chargerIds?: readonly string[] | undefined;
}

/** The limit of `chargerIds` in a request of the feed. */
export const MAX_CHARGERS = 100;

/** The union of the needs; undefined where nobody needs anything. */
export function unite(needs: readonly Need[]): Need | undefined {
  if (needs.length === 0) return undefined;
  const types = [...new Set(needs.flatMap((need) => need.types))].sort();
  const chargerIds = [...new Set(needs.flatMap((need) => need.chargerIds ?? []))].sort();
  const wantsAll = needs.some((need) => need.chargerIds === undefined);
  return wantsAll || chargerIds.length > MAX_CHARGERS ? { types } : { types, chargerIds };
}

export function isSameNeed(one: Need | undefined, other: Need | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a need selects an event: names of types may be families such as `session.*`. */
export function selects(need: Need, event: { readonly type: string; readonly chargerId: string | null }): boolean {
  const isOfType = need.types.some((type) =>
    type.endsWith('.*') ? event.type.startsWith(type.slice(0, -1)) : type === event.type || type === '*',
  );
  if (!isOfType) return false;
  return need.chargerIds === undefined || (event.chargerId !== null && need.chargerIds.includes(event.chargerId));
}

/** The address of the stream for a need, behind a cursor where one is known. */
export function streamUrl(need: Need, cursor: string | undefined): string {
  const query = new URLSearchParams({ types: need.types.join(',') });
  if (need.chargerIds !== undefined) query.set('chargerIds', need.chargerIds.join(','));
  if (cursor !== undefined) query.set('after', cursor);
  return `/v2/events/stream?${query.toString()}`;
}
