import type { Access } from '../routing/policy/access';

/** The header `x-key` names the caller, who may do everything. */
export function newAccess(part: Partial<Access<string>> = {}): Access<string> {
  return {
    authenticate: ({ headers }) => Promise.resolve(String(headers['x-key'])),
    permits: () => true,
    shownIn: () => 'key',
    callerOf: (key) => ({ key, client: key }),
    logFieldsOf: () => ({}),
    challenge: 'Key',
    unauthenticatedMessage: '',
    ...part,
  };
}
