// Defects of a local list that no schema finds, in any version.
import type { InputIssue, LocalListTag } from './operation';

/** OCPP 1.6, 6.40: in a full list every tag has its idTagInfo. 7.2: a tag is listed once, whatever its case. */
export function issuesOfList(updateType: string, tags: readonly LocalListTag[]): InputIssue[] {
  const seen = new Set<string>();
  return tags.flatMap(({ rfidTag, status: standing }, at) => {
    const issues: InputIssue[] = [];
    const key = rfidTag.toLowerCase();
    if (seen.has(key)) issues.push({ path: `/tags/${String(at)}/rfidTag`, message: 'is in the list already' });
    seen.add(key);
    if (updateType === 'Full' && standing === undefined) {
      issues.push({ path: `/tags/${String(at)}/status`, message: 'is required in a full list' });
    }
    return issues;
  });
}
