import type { Timestamp } from '../timestamp';
import type { Session } from './session';

export const SESSION_SORT_KEYS = ['startTime', 'endTime', 'updatedAt'] as const;
export type SessionSortKey = (typeof SESSION_SORT_KEYS)[number];

/**
 * Filters a client's sessions. An absent field does not filter; timestamps are inclusive; an empty list matches
 * nothing.
 */
export interface SessionFilter {
  readonly startedFrom?: Timestamp | undefined;
  readonly startedTo?: Timestamp | undefined;
  /** Sessions in progress have no end and do not match. */
  readonly endedFrom?: Timestamp | undefined;
  readonly endedTo?: Timestamp | undefined;
  readonly chargerIds?: readonly string[] | undefined;
  /** The charger's site when the session began. */
  readonly siteIds?: readonly number[] | undefined;
  /** The command that began it. */
  readonly commandId?: string | undefined;
  /** Compared without case. */
  readonly idTags?: readonly string[] | undefined;
  readonly state?: Session['state'] | undefined;
  /** The decision about the tag when the session began. */
  readonly authorization?: 'accepted' | 'refused' | undefined;
  /** Leaves out sessions in the state `refused`. */
  readonly withoutRefused?: boolean | undefined;
  /** A transaction id, a charger id or a tag (without case). */
  readonly search?: string | undefined;
  /** Changed at this time or later. */
  readonly updatedSince?: Timestamp | undefined;
}

/** A session and the name of its site, '' when that was deleted. */
export interface LocatedSession<S = Session> {
  readonly session: S;
  readonly siteName: string;
}
