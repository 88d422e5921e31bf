// Signs requests as Standard Webhooks says (https://www.standardwebhooks.com).
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

export interface Signed {
  readonly id: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of a request, with a signature by each secret (`whsec_…`), separated by spaces. */
export function signatureHeaders({ id, timestamp, body }: Signed, secrets: readonly string[]): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
    return `v1,${createHmac('sha256', key)
      .update(`${id}.${String(timestamp)}.${body}`)
      .digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
