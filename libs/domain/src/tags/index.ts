export { authorizedStandingOf, judgeTag, standingOf } from './judge-tag';
export { judgeTagNow } from './judge-tag-now';
export type { JudgeTagDeps } from './judge-tag-now';
export { judgeLocalList } from './local-list-verdicts';
export { changeTag, createTag, deleteTag, readTag } from './manage-tags';
export { ID_TAG_PATTERN, TAG_REFUSALS, TAG_SORT_KEYS, tagId, tagKey } from './tag';
export type { Tag, TagInput, TagReader, TagStanding, TagVerdict, TagWriter } from './tag';
export type { TagClaim, TagClaimStore } from './tag-claim';
