// What the form of a webhook becomes in the API. Pure.
import type { Schemas } from '../../api/client';
import { textOf } from '../../parts/form';
import { localOf } from '../../records/record-fields';
import { namesOf } from './webhooks-search';

export type WebhookFormat = Schemas['Webhook']['format'];
type Input = Schemas['WebhookInput'];

/** Whether events were refused and are tried again, while the webhook has not failed so often that it counts as failing. */
export function isRefusing({ status, nextAttemptAt }: Pick<Schemas['Webhook'], 'status' | 'nextAttemptAt'>): boolean {
  return status === 'active' && nextAttemptAt !== null;
}

/**
 * Where a replay begins unless the reader has another wish, RFC 3339: at the oldest event that waits, so that none is left out, or at the
 * last success. Null: unknown.
 */
export function replayFrom({
  waiting,
  oldestWaitingAt,
  lastSuccessAt,
}: Pick<Schemas['Webhook'], 'waiting' | 'oldestWaitingAt' | 'lastSuccessAt'>): string | null {
  return waiting === 0 ? lastSuccessAt : oldestWaitingAt;
}

/** The moment that a field of the reader's time has, RFC 3339. The field has no seconds: left as `from` filled it in, it is `from` itself. */
export function momentOf(field: string, from: string | null): string {
  return from !== null && field === localOf(from) ? from : new Date(field).toISOString();
}

/**
 * A replay that sends what waits and nothing else: from the oldest event that waits, where events after it that were delivered are left
 * out. Undefined: nothing waits, or more than are counted.
 */
export function replayOfWaiting({
  waiting,
  oldestWaitingAt,
}: Pick<Schemas['Webhook'], 'waiting' | 'oldestWaitingAt'>):
  { readonly after: string; readonly to: string } | undefined {
  if (waiting === 0 || oldestWaitingAt === null) return undefined;
  return { after: oldestWaitingAt, to: new Date(Date.parse(oldestWaitingAt) + 1).toISOString() };
}

/** The API judges names of types, and says which is wrong. A field that the form does not have is absent, and stays as it is. */
export function inputOf(form: FormData): Input {
  const startAt = textOf(form, 'startAt');
  return {
    url: textOf(form, 'url').trim(),
    description: textOf(form, 'description').trim(),
    format: textOf(form, 'format') as WebhookFormat,
    types: (namesOf(textOf(form, 'types')) ?? null) as NonNullable<Input['types']> | null,
    chargerIds: namesOf(textOf(form, 'chargerIds')) ?? null,
    ...(form.has('siteIds') ? sitesOf(form) : {}),
    ...authorizationOf(form),
    ...(startAt === '' ? {} : { startAt }),
    ordering: textOf(form, 'ordering') === 'none' ? 'none' : 'charger',
    maxInFlight: Number(textOf(form, 'maxInFlight')),
    ...(form.has('startDisabled') ? { enabled: false } : {}),
  };
}

function sitesOf(form: FormData): Pick<Input, 'siteIds' | 'includeSubsites'> {
  const siteIds = namesOf(textOf(form, 'siteIds'))?.map(Number) ?? null;
  return { siteIds, includeSubsites: form.has('includeSubsites') };
}

/** The standard format has no such header. */
function authorizationOf(form: FormData): Pick<Input, 'authorization'> {
  if (textOf(form, 'format') === 'standard' || form.has('noAuthorization')) return { authorization: null };
  const authorization = textOf(form, 'authorization').trim();
  return authorization === '' ? {} : { authorization };
}
