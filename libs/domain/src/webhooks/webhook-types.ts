// Which events a webhook gets by its types, and who may ask for them.
import { AppError } from '@busbar/core';
import type { EventName } from '@busbar/contracts';
import { EVENT_PATTERNS, eventTypesOf, permissionOf } from '../feed/feed-filter';
import { invalidInput } from '../invalid-input';
import { pushEventTypes } from './formats/push-messages';
import { PUSH_KINDS, type Webhook, type WebhookFormat } from './webhook';

type Typed = Pick<Webhook, 'format' | 'types'>;

/** All that `types` of a webhook can have, in any format. */
export const WEBHOOK_TYPES: readonly string[] = [...EVENT_PATTERNS, ...PUSH_KINDS];

/** `*` leaves out the frequent types that are delivered only where they are named. */
export function defaultTypes(format: WebhookFormat): readonly string[] {
  return format === 'standard' ? ['*'] : PUSH_KINDS;
}

/** The types of events that the webhook's requests are made from. */
export function webhookEventTypes({ format, types }: Typed): ReadonlySet<EventName> {
  return format === 'standard' ? eventTypesOf(types) : pushEventTypes(types);
}

/** Throws `invalid_request` for a type that the format does not have. */
export function refuseUnknownTypes({ format, types }: Typed): void {
  const known: readonly string[] = format === 'standard' ? EVENT_PATTERNS : PUSH_KINDS;
  const unknown = types.findIndex((type) => !known.includes(type));
  if (unknown === -1) return;
  const message = `must be one of those of the format ${format}: ${known.join(', ')}`;
  throw invalidInput(`${types[unknown] ?? ''} is no type of the format ${format}.`, {
    field: `types/${String(unknown)}`,
    message,
  });
}

/** Throws `forbidden` where the permissions do not cover each type. */
export function refuseUnreadableTypes(webhook: Typed, permissions: readonly string[]): void {
  for (const name of webhookEventTypes(webhook)) {
    const needed = permissionOf(name);
    if (permissions.includes(needed)) continue;
    const lacks = `This API key lacks the permission ${needed}, which events of the type ${name} require.`;
    throw new AppError('forbidden', `${lacks} Use another key, or name in types only those that it may read.`);
  }
}
