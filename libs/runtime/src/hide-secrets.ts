/** Keys whose values never reach a log. */
const SECRET_KEYS: ReadonlySet<string> = new Set([
  'authorization',
  'Authorization',
  'x-api-key',
  'cookie',
  'code',
  'apiKey',
  'secret',
  'secretsKey',
  'password',
  'passwordHash',
  'authorizationKey',
  'AuthorizationKey',
  'BasicAuthPassword',
]);
const HIDDEN = '[hidden]';
const DEPTH = 4;

type Fields = Readonly<Record<string, unknown>>;

/**
 * A log line's fields without the values of secrets, down to four levels deep; the same object where there are none. Pino's own
 * redaction costs an eighth of a request's processor time. `err` is left to its serializer, which takes no secret.
 */
export function hideSecrets(fields: Fields): Fields {
  return withoutSecrets(fields, DEPTH, 'err') as Fields;
}

/** Copies only what contains a secret. */
function withoutSecrets(value: unknown, depth: number, exempt?: string): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, each] of Object.entries(value)) {
    if (key === exempt) continue;
    const shown = SECRET_KEYS.has(key) ? HIDDEN : withoutSecrets(each, depth - 1);
    if (shown === each) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    copy[key] = shown;
  }
  return copy ?? value;
}
