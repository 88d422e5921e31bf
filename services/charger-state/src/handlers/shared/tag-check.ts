import type { EnvelopeAuthorization, EventData } from '@busbar/contracts';
import type { Tag, TagVerdict } from '@busbar/domain/tags';

/** A tag that a driver presented, and what came of it. */
export interface CheckedTag {
  /** The client's own, if it has it. */
  readonly tag: Tag | undefined;
  /** The tag's standing. */
  readonly standing: TagVerdict;
  /** The answer: another one where a remote start ordered the tag's use. */
  readonly verdict: TagVerdict;
  readonly authorization: EnvelopeAuthorization | undefined;
}

/** Who decided, and how long the client's endpoint took for it: null where it was not asked for this message. */
export function sourceOf(checked: CheckedTag): Pick<EventData<'tag.checked'>, 'source' | 'tookMs'> {
  const { tag, standing, verdict, authorization } = checked;
  if (tag !== undefined || verdict !== standing) return { source: 'own', tookMs: null };
  if (authorization !== undefined) return { source: authorization.source, tookMs: authorization.tookMs };
  // An unknown tag is accepted without an order only where the client lets any tag charge.
  return { source: standing === 'accepted' ? 'open' : 'own', tookMs: null };
}
