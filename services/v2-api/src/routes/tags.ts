import type { Clock } from '@busbar/core';
import { inUtc, type Timestamp } from '@busbar/domain';
import type { SessionReader } from '@busbar/domain/sessions';
import {
  changeTag,
  createTag,
  deleteTag,
  importTags,
  readTag,
  TAG_SORT_KEYS,
  type Tag,
  type TagReader,
  type TagWriter,
} from '@busbar/domain/tags';
import { cursorPageSchema, cursorPageWanted, cursorQuerySchema, cursorReply } from '@busbar/http';
import { route } from '../route';
import {
  importedTagsSchema,
  tagChangeSchema,
  tagImportSchema,
  tagInputSchema,
  tagParamsSchema,
  tagSchema,
} from '../schemas/tag';
import { recordSchema } from '../schemas/values';

interface Deps {
  readonly tags: TagReader & TagWriter;
  readonly sessions: Pick<SessionReader, 'findLastStarts'>;
  readonly clock: Clock;
}

const TAG = 'Tags';

export const createTagRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/tags',
    tag: TAG,
    operationId: 'createTag',
    summary: 'Create a tag',
    permission: 'tags:write',
    body: tagInputSchema,
    response: tagSchema,
    errors: ['tag_exists'],
    async handler({ auth: { clientId }, body: { idTag, ...input } }) {
      return presented(deps, await createTag(deps, { clientId, idTag }, { ...input, ...datesOf(input) }));
    },
  });

export const importTagsRoute = (deps: Deps) =>
  route({
    method: 'POST',
    path: '/tags/import',
    tag: TAG,
    operationId: 'importTags',
    summary: 'Import tags',
    description: [
      'Creates or changes up to 10,000 tags; the body may have 4,000,000 bytes. Where one is invalid none is stored, and `errors` has one',
      'entry for each invalid row, up to 1,000: `/tags/17/idTag` is the 18th row. If the response is lost or 503, repeat the same request.',
    ].join(' '),
    permission: 'tags:write',
    body: tagImportSchema,
    rows: 'tags',
    response: importedTagsSchema,
    handler: ({ auth: { clientId }, body: { tags } }) =>
      importTags(
        deps,
        clientId,
        tags.map((row) => ({ ...row, ...datesOf(row) })),
      ),
  });

export const listTagsRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/tags',
    tag: TAG,
    operationId: 'listTags',
    summary: 'List tags',
    permission: 'tags:read',
    query: cursorQuerySchema(TAG_SORT_KEYS, 'by idTag', 'the beginning of an idTag, a tokenName or an externalId'),
    response: cursorPageSchema('TagPage', tagSchema),
    async handler({ auth, query }) {
      const order = { list: 'tags', sortKey: 'idTag', sortDescending: false, now: deps.clock.now() } as const;
      const page = cursorPageWanted(query, order);
      const filter = { search: query.search, updatedSince: page.updatedSince };
      const found = await deps.tags.list(auth.clientId, filter, page);
      return cursorReply(page, { ...found, items: await presentTags(deps, auth.clientId, found.items) });
    },
  });

export const readTagRoute = (deps: Deps) =>
  route({
    method: 'GET',
    path: '/tags/:idTag',
    tag: TAG,
    operationId: 'getTag',
    summary: 'Read a tag',
    permission: 'tags:read',
    params: tagParamsSchema,
    response: tagSchema,
    errors: ['not_found'],
    handler: async ({ auth: { clientId }, params: { idTag } }) =>
      presented(deps, await readTag(deps, { clientId, idTag })),
  });

export const changeTagRoute = (deps: Deps) =>
  route({
    method: 'PATCH',
    path: '/tags/:idTag',
    tag: TAG,
    operationId: 'updateTag',
    summary: 'Change a tag',
    description:
      'Absent fields keep their value. Null clears a field; for `blocked` it means false. The change applies from the next authorization.',
    permission: 'tags:write',
    params: tagParamsSchema,
    body: tagChangeSchema,
    response: tagSchema,
    errors: ['not_found'],
    handler: async ({ auth: { clientId }, params: { idTag }, body }) =>
      presented(deps, await changeTag(deps, { clientId, idTag }, { ...body, ...datesOf(body) })),
  });

export const deleteTagRoute = (deps: Deps) =>
  route({
    method: 'DELETE',
    path: '/tags/:idTag',
    tag: TAG,
    operationId: 'deleteTag',
    summary: 'Delete a tag',
    description: 'Later authorizations treat it as unknown. Its sessions remain.',
    permission: 'tags:write',
    params: tagParamsSchema,
    response: recordSchema('DeletedTag', 'The id of the deleted tag.', { idTag: tagSchema.properties.idTag }),
    errors: ['not_found'],
    async handler({ auth: { clientId }, params: { idTag } }) {
      await deleteTag(deps, { clientId, idTag });
      return { idTag };
    },
  });

async function presented(deps: Deps, tag: Tag) {
  const lastStarts = await deps.sessions.findLastStarts(tag.clientId, [tag.idTagKey]);
  return presentTag(tag, lastStarts);
}

/** The last use of each is read from the index of sessions: no message of a charger writes it. */
async function presentTags(deps: Deps, clientId: string, tags: readonly Tag[]) {
  const keys = tags.map(({ idTagKey }) => idTagKey);
  const lastStarts = await deps.sessions.findLastStarts(clientId, keys);
  return tags.map((tag) => presentTag(tag, lastStarts));
}

function presentTag(tag: Tag, lastStarts: ReadonlyMap<string, Timestamp>) {
  const { idTag, type, startDate, expiringDate, tokenName, blocked, parentIdTag, externalId, updatedAt } = tag;
  const lastUsedAt = lastStarts.get(tag.idTagKey) ?? null;
  return { idTag, type, startDate, expiringDate, tokenName, blocked, parentIdTag, externalId, updatedAt, lastUsedAt };
}

interface Dates {
  readonly startDate?: string | null | undefined;
  readonly expiringDate?: string | null | undefined;
}

function datesOf({ startDate, expiringDate }: Dates): Dates {
  return { startDate: inUtc(startDate), expiringDate: inUtc(expiringDate) };
}
