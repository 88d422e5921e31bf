import { createFakeClock } from '@busbar/testing';
import { EgressError, type EgressErrorCode, type EgressRequest, type EgressResponse } from '@busbar/runtime';
import { exampleEvent } from '@busbar/domain/feed';
import type { FormatEvent, OutgoingMessage } from '@busbar/domain/webhooks';
import { sourceEvent } from '../feed/page-source';
import { webhookOf } from '../testing/webhook';
import { createSendEvent } from './send-event';

const EVENT = sourceEvent(exampleEvent('charger.state_changed'));
const message = (id: string): OutgoingMessage => ({ id, body: '{}', headers: {} });

function open(
  respond: (request: EgressRequest) => Partial<EgressResponse> | EgressErrorCode,
  messages = [message('e')],
) {
  const requests: EgressRequest[] = [];
  const format: FormatEvent = () => Promise.resolve(messages);
  const send = createSendEvent({
    egress: () => ({
      send(request) {
        requests.push(request);
        const result = respond(request);
        if (typeof result === 'string') return Promise.reject(new EgressError(result, 'no response'));
        return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(''), truncated: false, ...result });
      },
    }),
    formats: { standard: format, 'push-v1': format, 'push-v2': format },
    secrets: { decrypt: (stored, ownerId) => (ownerId === 'wh_1' ? `whsec_${stored}` : undefined) },
    clock: createFakeClock(),
  });
  return { send, requests };
}

it.each([{ status: 200 }, 'timeout'] as const)(
  'reports what was sent without the authorization, at %j',
  async (response) => {
    const { send, requests } = open(() => response);
    const sent = await send(webhookOf({ authorization: 'Bearer x' }), EVENT, 0);
    const [{ url, headers, body } = {}] = requests as Partial<EgressRequest>[];
    const { authorization, ...shown } = headers ?? {};
    expect(authorization).toBeDefined();
    expect(sent).toMatchObject({ request: { url, body } });
    expect(shown).toEqual({
      'user-agent': 'Busbar-Webhooks/1',
      'content-type': 'application/json',
      ...(sent === 'nothing' ? {} : sent.request.headers),
    });
    expect(Object.keys(sent === 'nothing' ? {} : sent.request.headers)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(JSON.stringify(sent)).not.toContain(authorization);
  },
);

it.each<[number, string, string | null]>([
  [200, 'delivered', null],
  [299, 'delivered', null],
  [302, 'webhook_failed', 'redirect'],
  [401, 'webhook_failed', 'http_401'],
  [410, 'webhook_gone', 'http_410'],
  [422, 'event_refused', 'http_422'],
  [500, 'event_refused', 'http_500'],
  [503, 'webhook_failed', 'http_503'],
])('takes %i as %s, with the error %s', async (status, outcome, error) => {
  expect(await open(() => ({ status })).send(webhookOf(), EVENT, 0)).toMatchObject({
    outcome,
    error,
    httpStatus: status,
  });
});

it.each<EgressErrorCode>(['timeout', 'dns', 'refused', 'reset', 'tls', 'address_refused'])(
  'takes a request without a response as a failure of the webhook: %s',
  async (code) => {
    const sent = await open(() => code).send(webhookOf(), EVENT, 0);
    expect(sent).toMatchObject({ outcome: 'webhook_failed', error: code, httpStatus: null, responseBody: '' });
  },
);

it('waits 15 s at most, and reads 64 KiB of the response, of which 1,000 characters are shown', async () => {
  const { send, requests } = open(() => ({ body: Buffer.from('x'.repeat(2_000)) }));
  expect(await send(webhookOf(), EVENT, 0)).toMatchObject({ responseBody: 'x'.repeat(1_000) });
  expect(requests[0]).toMatchObject({ method: 'POST', timeoutMs: 15_000, maxResponseBytes: 65_536 });
});

it('reads Retry-After', async () => {
  const sent = await open(() => ({ status: 503, headers: { 'retry-after': '120' } })).send(webhookOf(), EVENT, 0);
  expect(sent).toMatchObject({ retryAfterMs: 120_000 });
});

it('sends the authorization of the webhook', async () => {
  const { send, requests } = open(() => ({}));
  await send(webhookOf({ authorization: 'a' }), EVENT, 0);
  expect(requests[0]?.headers).toMatchObject({ authorization: 'whsec_a' });
});

it('rejects without a request where a secret cannot be decrypted', async () => {
  const { send, requests } = open(() => ({}));
  const other = webhookOf({ webhookId: 'wh_2', secrets: [{ encrypted: 'a', endsAt: null }] });
  await expect(send(other, EVENT, 0)).rejects.toMatchObject({ code: 'invalid_configuration' });
  expect(requests).toEqual([]);
});

it('sends nothing for an event without a message', async () => {
  expect(await open(() => ({}), []).send(webhookOf(), EVENT, 0)).toBe('nothing');
});

it('sends the messages of an event in order, ends at the first that fails, and continues there', async () => {
  const messages = ['e', 'e-2', 'e-3'].map(message);
  let isBroken = true;
  const { send, requests } = open(
    ({ headers }) => ({ status: isBroken && headers['webhook-id'] === 'e-2' ? 500 : 200 }),
    messages,
  );
  expect(await send(webhookOf(), EVENT, 0)).toMatchObject({ outcome: 'event_refused', messages: 1 });
  isBroken = false;
  expect(await send(webhookOf(), EVENT, 1)).toMatchObject({ outcome: 'delivered', messages: 3 });
  expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual(['e', 'e-2', 'e-2', 'e-3']);
});
