// What the list of webhooks, and one webhook, keep in their addresses. Pure.
import { isLaterPage } from '../../parts/search-values';

export const OUTCOMES = ['delivered', 'refused', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];
export const PAGE_SIZE = 50;

export interface WebhooksSearch {
  readonly page?: number | undefined;
}

export interface WebhookSearch {
  readonly page?: number | undefined;
  /** The page of its parked events. */
  readonly parked?: number | undefined;
  readonly outcome?: Outcome | undefined;
}

export function parseWebhooksSearch({ page }: Readonly<Record<string, unknown>>): WebhooksSearch {
  return isLaterPage(page) ? { page } : {};
}

export function parseWebhookSearch(raw: Readonly<Record<string, unknown>>): WebhookSearch {
  const outcome = OUTCOMES.find((one) => one === raw['outcome']);
  const { parked } = raw;
  return {
    ...parseWebhooksSearch(raw),
    ...(isLaterPage(parked) ? { parked } : {}),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** A list of names as a reader types it: separated by commas, spaces or lines. Undefined: none. */
export function namesOf(text: string): string[] | undefined {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  return names.length === 0 ? undefined : names;
}
