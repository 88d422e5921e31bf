import type { Clock } from '@busbar/core';
import { changesNothing } from '../changes-nothing';
import { invalidInput, type InputIssue } from '../invalid-input';
import { withDefaults, type Nullable } from '../nullable';
import { toTimestamp, type Timestamp } from '../timestamp';
import { TAG_DEFAULTS, validityIssue } from './manage-tags';
import { tagKey, type Tag, type TagInput, type TagReader, type TagWriter } from './tag';

export const MAX_IMPORTED_TAGS = 10_000;
/** Issues in one response. */
const MAX_ISSUES = 1_000;
const READ_BATCH = 500;

export interface ImportTagsDeps {
  readonly tags: Pick<TagReader, 'findByKeys'> & Pick<TagWriter, 'putMany'>;
  readonly clock: Clock;
}

/** Absent fields of an existing tag keep their value, null clears. */
export type TagRow = Nullable<TagInput> & { readonly idTag: string };

export interface ImportedTags {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

/**
 * Creates or changes all tags, or none where one is invalid: `invalid_request` with the issues by the place of their row in
 * `tags`. A failure of the store in between may leave some stored; the same import again completes it.
 */
export async function importTags(
  { tags, clock }: ImportTagsDeps,
  clientId: string,
  rows: readonly TagRow[],
): Promise<ImportedTags> {
  const at = toTimestamp(clock.now());
  const existing = await readExisting(tags, clientId, rows);
  const merged = rows.map((row) => merge(row, existing.get(tagKey(row.idTag)), { clientId, at }));
  const issues = issuesOf(merged);
  if (issues.length > 0) {
    const shown = issues.length > MAX_ISSUES ? `, of which ${String(MAX_ISSUES)} are named` : '';
    const message = `${String(issues.length)} of ${String(rows.length)} tags are invalid${shown}. None was stored.`;
    throw invalidInput(message, ...issues.slice(0, MAX_ISSUES));
  }
  const created = merged.filter(({ idTagKey }) => !existing.has(idTagKey));
  const changed = merged.filter((tag) => {
    const before = existing.get(tag.idTagKey);
    return before !== undefined && !changesNothing<Tag>(before, { ...tag, updatedAt: before.updatedAt });
  });
  await tags.putMany([...created, ...changed]);
  return {
    created: created.length,
    changed: changed.length,
    unchanged: rows.length - created.length - changed.length,
  };
}

async function readExisting(
  tags: ImportTagsDeps['tags'],
  clientId: string,
  rows: readonly TagRow[],
): Promise<ReadonlyMap<string, Tag>> {
  const keys = [...new Set(rows.map(({ idTag }) => tagKey(idTag)))];
  const found = new Map<string, Tag>();
  for (let from = 0; from < keys.length; from += READ_BATCH) {
    const some = await tags.findByKeys(clientId, keys.slice(from, from + READ_BATCH));
    for (const tag of some) found.set(tag.idTagKey, tag);
  }
  return found;
}

/** An existing tag keeps its text, which differs in case at most. */
function merge(
  { idTag, ...fields }: TagRow,
  before: Tag | undefined,
  { clientId, at }: { readonly clientId: string; readonly at: Timestamp },
): Tag {
  const changes = withDefaults<TagInput>(fields, TAG_DEFAULTS);
  if (before !== undefined) return { ...before, ...changes, updatedAt: at };
  return { ...TAG_DEFAULTS, ...changes, clientId, idTag, idTagKey: tagKey(idTag), updatedAt: at };
}

function issuesOf(tags: readonly Tag[]): readonly InputIssue[] {
  const first = new Map<string, number>();
  return tags.flatMap((tag, n) => {
    const same = first.get(tag.idTagKey);
    if (same !== undefined) {
      const message = `is the tag of row ${String(same + 1)} too; tags are compared without case`;
      return [{ field: `tags/${String(n)}/idTag`, message }];
    }
    first.set(tag.idTagKey, n);
    const issue = validityIssue(tag, 'expiringDate');
    return issue === undefined ? [] : [{ ...issue, field: `tags/${String(n)}/${issue.field}` }];
  });
}
