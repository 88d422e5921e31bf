import type { Instant } from './instant';

/** A driver's token (OCPP idTag). */
export interface Tag {
  readonly clientId: string;
  readonly idTag: string;
  /** Lower case: tags are compared without regard to case. */
  readonly idTagKey: string;
  readonly tokenName: string | null;
  readonly parentIdTag: string | null;
  readonly blocked: boolean;
  readonly startDate: Instant | null;
  readonly expiringDate: Instant | null;
  readonly externalId: string | null;
}

export type TagStanding = 'accepted' | 'blocked' | 'expired' | 'unknown';

export interface TagReader {
  findByKeys(clientId: string, idTagKeys: readonly string[]): Promise<Tag[]>;
}

export interface TagWriter {
  put(tag: Tag): Promise<void>;
}

/** Tags are compared without case (OCPP 1.6 CiString20Type). */
export function tagKey(idTag: string): string {
  return idTag.toLowerCase();
}

/** Whether a tag may charge at that moment. An unknown one may where the client charges openly. */
export function standingOf(tag: Tag | undefined, openCharging: boolean, at: Instant): TagStanding {
  if (tag === undefined) return openCharging ? 'accepted' : 'unknown';
  if (tag.blocked) return 'blocked';
  if (tag.expiringDate !== null && tag.expiringDate <= at) return 'expired';
  if (tag.startDate !== null && tag.startDate > at) return 'expired';
  return 'accepted';
}
