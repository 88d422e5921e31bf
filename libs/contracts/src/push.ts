import { integer, list, literal, nullableInteger, nullableText, oneOf, record, text, type ValueOf } from './schema';

export const webhookChange = record({ clientId: text, webhookId: text });

/** A webhook was created, changed or deleted. A hint: services/push looks by itself too. */
export type WebhookChange = ValueOf<typeof webhookChange>;

export const pushRequest = oneOf(
  /** Sends one `webhook.test` now, past the line. */
  record({ request: literal('test'), clientId: text, webhookId: text }),
  /** Sends events again, past the line. */
  record({ request: literal('redeliver'), clientId: text, webhookId: text, eventIds: list(text) }),
);

/** A request about a webhook, answered by any process of services/push. */
export type PushRequest = ValueOf<typeof pushRequest>;

export const pushAnswer = oneOf(
  record({
    result: literal('tested'),
    outcome: literal('delivered', 'refused', 'failed'),
    httpStatus: nullableInteger,
    tookMs: integer,
    responseBody: text,
    error: nullableText,
  }),
  /** So many are being sent; the others are not in the feed and were not parked. */
  record({ result: literal('accepted'), accepted: integer }),
  /** Too many such requests are in progress. */
  record({ result: literal('busy') }),
  /** It was deleted or disabled meanwhile. */
  record({ result: literal('gone', 'disabled') }),
  /** Its secrets cannot be decrypted: the key is missing or another one. */
  record({ result: literal('no_key') }),
);

export type PushAnswer = ValueOf<typeof pushAnswer>;
