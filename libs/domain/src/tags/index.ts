export { isSamePlace, judgeTag, standingOf } from './judge-tag';
export type { ChargingPlace, KnownTag } from './judge-tag';
export { judgeTagNow } from './judge-tag-now';
export type { JudgeTagDeps } from './judge-tag-now';
export { judgeLocalList } from './local-list-verdicts';
export { changeTag, createTag, deleteTag, readTag } from './manage-tags';
export { ID_TAG_PATTERN, TAG_SORT_KEYS, tagKey } from './tag';
export type { Tag, TagFilter, TagInput, TagReader, TagSortKey, TagStanding, TagVerdict, TagWriter } from './tag';
export type { TagClaim, TagClaimChange, TagClaimStore } from './tag-claim';
