import { AppError } from '@busbar/core';
import { invalidInput } from '../invalid-input';
import { tagKey, type Tag, type TagInput, type TagReader, type TagWriter } from '../tag';

interface Deps {
  readonly tags: TagReader & TagWriter;
}

/** Which tag of whom; without regard to case. */
interface Named {
  readonly clientId: string;
  readonly idTag: string;
}

const DEFAULTS: TagInput = {
  tokenName: null,
  parentIdTag: null,
  blocked: false,
  startDate: null,
  expiringDate: null,
  externalId: null,
};

/**
 * Makes a tag known, to every charger of the client at once. A parentIdTag is the name of a group that tags share (OCPP 1.6
 * clause 3.5): it need not be a tag itself. Throws `tag_exists` for one that differs in case at most, `invalid_request` for
 * dates that leave no time between them.
 */
export async function createTag(deps: Deps, { clientId, idTag }: Named, input: Partial<TagInput>): Promise<Tag> {
  const tag: Tag = { ...DEFAULTS, ...input, clientId, idTag, idTagKey: tagKey(idTag) };
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

/** Changes what is named and keeps the rest. A session under way goes on. Throws as `readTag` and `createTag` do. */
export async function changeTag(deps: Deps, named: Named, changes: Partial<TagInput>): Promise<Tag> {
  const changed = { ...(await readTag(deps, named)), ...changes };
  refuseEmptyValidity(changed, changes);
  const isThere =
    Object.keys(changes).length === 0 || (await deps.tags.update(named.clientId, changed.idTagKey, changes));
  if (!isThere) throw notFound(named.idTag);
  return changed;
}

/** From then on it is unknown. Throws `not_found`. */
export async function deleteTag(deps: Deps, { clientId, idTag }: Named): Promise<void> {
  if (!(await deps.tags.delete(clientId, tagKey(idTag)))) throw notFound(idTag);
}

/** Names of the two dates the one that was said. */
function refuseEmptyValidity({ startDate, expiringDate }: Tag, said: Partial<TagInput>): void {
  if (startDate === null || expiringDate === null || startDate < expiringDate) return;
  const issue =
    said.expiringDate === undefined
      ? { path: '/startDate', message: 'must be before expiringDate' }
      : { path: '/expiringDate', message: 'must be after startDate' };
  throw invalidInput('expiringDate must be after startDate.', issue);
}

function notFound(idTag: string): AppError {
  return new AppError('not_found', `There is no tag ${idTag}.`);
}
