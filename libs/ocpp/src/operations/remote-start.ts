// Our remote starts, as far as others need to know of one that the charger has not answered yet.

/** What a remote start asks for: a session of this tag, at this connector or at any. */
export interface RemoteStart {
  readonly idTag: string;
  readonly connectorId?: number;
}

/** Longer than any tag that a charger could start with. */
const MAX_TAG_CHARACTERS = 255;

/** The remote start that a CALL of ours is (OCPP 1.6 5.11). Undefined for any other, and for one that names no tag. */
export function remoteStartOf({ action, payload }: RemoteStartCall): RemoteStart | undefined {
  if (action !== 'RemoteStartTransaction') return undefined;
  const { idTag, connectorId } = payload;
  if (typeof idTag !== 'string' || idTag.length > MAX_TAG_CHARACTERS) return undefined;
  if (connectorId === undefined) return { idTag };
  return typeof connectorId === 'number' && Number.isInteger(connectorId) ? { idTag, connectorId } : undefined;
}

interface RemoteStartCall {
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}
