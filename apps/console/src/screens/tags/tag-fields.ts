// What the owner sets of a tag, and whether the tag is valid. Pure.
import type { Schemas } from '../../api/client';
import { MAX_TAG } from '../../api/limits';
import type { RecordField } from '../../records/record-fields';
import { tagsTexts as words } from '../../texts/tags';

export type TagState = keyof typeof words.states;
type Tag = Schemas['Tag'];

/** In the order in which the service asks. */
export function tagStateOf({ blocked, startDate, expiringDate }: Tag, now: number): TagState {
  if (blocked) return 'blocked';
  if (expiringDate !== null && Date.parse(expiringDate) <= now) return 'expired';
  return startDate !== null && Date.parse(startDate) > now ? 'notYet' : 'valid';
}

/** Of a tag that exists: its id stays. */
export const TAG_FIELDS: readonly RecordField[] = [
  { name: 'tokenName', label: words.name, kind: 'text', hint: words.nameHint },
  { name: 'type', label: words.type, kind: 'text', hint: words.typeHint, maxLength: 20 },
  { name: 'startDate', label: words.from, kind: 'time', hint: words.fromHint },
  { name: 'expiringDate', label: words.until, kind: 'time', hint: words.untilHint },
  { name: 'parentIdTag', label: words.group, kind: 'text', hint: words.groupHint, maxLength: MAX_TAG },
  { name: 'externalId', label: words.externalId, kind: 'text', hint: words.externalIdHint },
  { name: 'blocked', label: words.blocked, kind: 'check', hint: words.blockedHint },
];

export const NEW_TAG_FIELDS: readonly RecordField[] = [
  { name: 'idTag', label: words.tag, kind: 'text', hint: words.tagHint, required: true, maxLength: MAX_TAG },
  ...TAG_FIELDS,
];
