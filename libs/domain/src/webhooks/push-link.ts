import type { PushAnswer, PushRequest } from '@busbar/contracts';

/** The way to services/push. */
export interface PushLink {
  /** A hint: the webhook was created, changed or deleted. */
  announce(clientId: string, webhookId: string): void;
  /** `unavailable`: nobody of push is there, or the response took too long. */
  ask(request: PushRequest): Promise<PushAnswer | { readonly result: 'unavailable' }>;
}
