import { createHmac, timingSafeEqual } from 'node:crypto';

/** `headers` as Node.js has them, `body` the bytes as they were received, `now` in seconds. */
export function isAuthentic(secret, headers, body, now = Date.now() / 1000) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers;
  // An old request may be one that somebody recorded.
  if (!(Math.abs(now - Number(time)) <= 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const own = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
  return signatures.split(' ').some((signature) => isEqual(signature, `v1,${own}`));
}

function isEqual(given, own) {
  return given.length === own.length && timingSafeEqual(Buffer.from(given), Buffer.from(own));
}
