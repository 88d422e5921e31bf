// What callers send to create or change a webhook, and the rules that no schema expresses.
import { AppError } from '@busbar/core';
import { invalidInput } from '../invalid-input';
import { withDefaults, type Nullable } from '../nullable';
import type { SiteReader } from '../sites/site';
import { defaultTypes, refuseUnknownTypes } from './webhook-types';
import type { Webhook } from './webhook';

/** What a caller configures, besides the secrets. */
export type WebhookSettings = Pick<
  Webhook,
  | 'url'
  | 'description'
  | 'format'
  | 'types'
  | 'siteIds'
  | 'includeSubsites'
  | 'chargerIds'
  | 'ordering'
  | 'maxInFlight'
  | 'enabled'
>;

/** An absent field stays as it is; null gives the default. */
export type WebhookChange = { readonly url?: string | undefined } & Nullable<
  Omit<WebhookSettings, 'url'> & {
    /** A cursor of the feed, `oldest` or `now`. */
    readonly startAt: string;
    readonly authorization: string;
  }
>;

export type WebhookInput = WebhookChange & { readonly url: string };

export interface InputDeps {
  readonly sites: Pick<SiteReader, 'findMany'>;
  /** Judges the URL, with the reason of a refusal. */
  readonly checkUrl: (
    url: string,
  ) => { readonly accepted: true } | { readonly accepted: false; readonly reason: string };
}

const DEFAULTS: Omit<WebhookSettings, 'url' | 'types'> = {
  description: '',
  format: 'standard',
  siteIds: null,
  includeSubsites: false,
  chargerIds: null,
  ordering: 'charger',
  maxInFlight: 8,
  enabled: true,
};

/** `before`: absent for a new webhook. A change of the format without types gives the default types of the new format. */
export function settingsOf(change: WebhookChange, before?: WebhookSettings): WebhookSettings {
  const { url = before?.url ?? '', types } = change;
  const given = withDefaults<typeof DEFAULTS>(fieldsOf(change), DEFAULTS);
  const fields = { ...DEFAULTS, ...(before && fieldsOf(before)), ...given };
  const isKept = types === undefined && before?.format === fields.format;
  return { url, ...fields, types: types ?? (isKept ? before.types : defaultTypes(fields.format)) };
}

function fieldsOf<W extends Nullable<typeof DEFAULTS>>(webhook: W): Pick<W, keyof typeof DEFAULTS> {
  const { description, format, siteIds, includeSubsites, chargerIds, ordering, maxInFlight, enabled } = webhook;
  return { description, format, siteIds, includeSubsites, chargerIds, ordering, maxInFlight, enabled };
}

/** Judges what the change gives, against the settings that it leads to. Throws `invalid_webhook_url` and `invalid_request`. */
export async function refuseInput(
  { checkUrl, sites }: InputDeps,
  clientId: string,
  change: WebhookChange,
  after: WebhookSettings & { readonly hasAuthorization: boolean },
): Promise<void> {
  const checked = change.url === undefined ? undefined : checkUrl(change.url);
  if (checked?.accepted === false) throw new AppError('invalid_webhook_url', checked.reason);
  refuseUnknownTypes(after);
  if (after.format === 'standard' && after.hasAuthorization) {
    const message = 'must be absent or null in the standard format, whose requests are signed';
    throw invalidInput(`authorization ${message}.`, { field: 'authorization', message });
  }
  const { siteIds } = change;
  if (siteIds === undefined || siteIds === null) return;
  const known = new Set((await sites.findMany(clientId, siteIds)).map(({ siteId }) => siteId));
  const unknown = siteIds.findIndex((siteId) => !known.has(siteId));
  if (unknown === -1) return;
  const message = 'must be the id of a site of this client';
  throw invalidInput(`siteIds: ${String(siteIds[unknown])} ${message}.`, {
    field: `siteIds/${String(unknown)}`,
    message,
  });
}
