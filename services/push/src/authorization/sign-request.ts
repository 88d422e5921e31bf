// The headers of Standard Webhooks (standardwebhooks.com, version 1) by which a receiver verifies a request.
import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** `secret`: `whsec_` and base64. The body must be sent byte for byte. */
export function signedHeaders(secret: string, id: string, at: Date, body: string): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
