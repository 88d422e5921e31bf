import type { Script } from './format';

/** The tags that a script expects to be accepted: `--register` creates them. */
export function tagsOf({ steps }: Script): string[] {
  const tags = steps.flatMap(({ authorize, start }) => [
    ...(authorize !== undefined && (authorize.result ?? 'Accepted') === 'Accepted' ? [authorize.tag] : []),
    ...(start !== undefined && (start.result ?? 'Accepted') === 'Accepted' ? [start.tag] : []),
  ]);
  return [...new Set(tags)];
}
