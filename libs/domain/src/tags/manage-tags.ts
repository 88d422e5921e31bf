import { AppError, type Clock } from '@busbar/core';
import { changesNothing } from '../changes-nothing';
import { invalidInput, type InputIssue } from '../invalid-input';
import { omitNil, withDefaults, type Nullable } from '../nullable';
import { toTimestamp } from '../timestamp';
import { tagKey, type Tag, type TagInput, type TagReader, type TagWriter } from './tag';

interface Deps {
  readonly tags: TagReader & TagWriter;
}

interface WriteDeps extends Deps {
  readonly clock: Clock;
}

/** A client's tag, case ignored. */
interface Named {
  readonly clientId: string;
  readonly idTag: string;
}

export const TAG_DEFAULTS: TagInput = {
  tokenName: null,
  type: null,
  parentIdTag: null,
  blocked: false,
  startDate: null,
  expiringDate: null,
  externalId: null,
};

/**
 * Creates a tag, valid at once for every charger of the client. A parentIdTag names a group of tags (OCPP 1.6 clause
 * 3.5) and need not be a tag itself. Throws `tag_exists` for one that differs in case at most, `invalid_request` for
 * dates that leave no time between them. Null equals absent.
 */
export async function createTag(deps: WriteDeps, { clientId, idTag }: Named, input: Nullable<TagInput>): Promise<Tag> {
  const updatedAt = toTimestamp(deps.clock.now());
  const fields = { ...TAG_DEFAULTS, ...omitNil<Partial<TagInput>>(input) };
  const tag: Tag = { ...fields, clientId, idTag, idTagKey: tagKey(idTag), updatedAt };
  refuseEmptyValidity(tag, input);
  if ((await deps.tags.insert(tag)) === 'exists') {
    throw new AppError('tag_exists', `There is a tag ${idTag} already. Tags are compared without case.`);
  }
  return tag;
}

/** Throws `not_found` when there is no such tag or it is another client's. */
export async function readTag(deps: Deps, { clientId, idTag }: Named): Promise<Tag> {
  const [tag] = await deps.tags.findByKeys(clientId, [tagKey(idTag)]);
  if (tag === undefined) throw notFound(idTag);
  return tag;
}

/**
 * Changes the given fields; null clears. An ongoing session continues. A change without effect is not written. Throws as
 * `readTag` and `createTag` do.
 */
export async function changeTag(deps: WriteDeps, named: Named, change: Nullable<TagInput>): Promise<Tag> {
  const changes = withDefaults(change, TAG_DEFAULTS);
  const before = await readTag(deps, named);
  const at = toTimestamp(deps.clock.now());
  refuseEmptyValidity({ ...before, ...changes }, changes);
  if (changesNothing<TagInput>(before, changes)) return before;
  if (!(await deps.tags.update(named.clientId, before.idTagKey, changes, at))) throw notFound(named.idTag);
  return { ...before, ...changes, updatedAt: at };
}

/** Deletes a tag, which is unknown from then on. Throws `not_found`. */
export async function deleteTag(deps: Deps, { clientId, idTag }: Named): Promise<void> {
  if (!(await deps.tags.delete(clientId, tagKey(idTag)))) throw notFound(idTag);
}

/** Names the one of the two dates that was given. */
function refuseEmptyValidity(tag: Tag, { expiringDate: ending }: Nullable<TagInput>): void {
  const issue = validityIssue(tag, ending === undefined ? 'startDate' : 'expiringDate');
  if (issue !== undefined) throw invalidInput('expiringDate must be after startDate.', issue);
}

/** The issue of dates that leave no time between them, at one of the two fields. */
export function validityIssue(
  { startDate, expiringDate }: Tag,
  field: 'startDate' | 'expiringDate',
): InputIssue | undefined {
  if (startDate === null || expiringDate === null || startDate < expiringDate) return undefined;
  return { field, message: field === 'startDate' ? 'must be before expiringDate' : 'must be after startDate' };
}

function notFound(idTag: string): AppError {
  return new AppError('not_found', `There is no tag ${idTag}.`);
}
