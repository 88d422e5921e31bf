// The examples of docs/events.md, from which integrators write their receivers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exampleEvent } from '@busbar/contracts';
import { attemptOutcome, PUSH_KINDS, pushMessages, standardMessage, type PushKind } from '@busbar/domain/webhooks';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from './signature';

const DOCUMENT = readFileSync(join(__dirname, '../../../docs/events.md'), 'utf8');
const EVENT = exampleEvent('charger.state_changed');
const CHARGER = { pushIntegrationEnabled: true, integrationRelays: [], sockets: [{ id: 1, name: 'Left' }] };
const SENT_FOR = {
  ChargerState: 'socket.state_changed',
  ChargerBoot: 'charger.booted',
  ChargingTransaction: 'session.started',
  FullChargingTransaction: 'session.ended',
  Measurements: 'meter.values',
} as const satisfies Record<PushKind, unknown>;

const [headerLines = '', body = ''] = blockOf('http').split('\n\n');
const headers = Object.fromEntries(
  headerLines
    .split('\n')
    .slice(1)
    .map((line) => line.split(/: (.*)/).slice(0, 2)),
) as Record<string, string>;
const [secret = ''] = /whsec_[A-Za-z0-9+/]+=/.exec(DOCUMENT) ?? [];

function blockOf(language: string, last = false): string {
  const blocks = [...DOCUMENT.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``, 'g'))];
  return (last ? blocks.at(-1) : blocks[0])?.[1] ?? '';
}

it('has the body of an event of the feed', () => {
  expect(body).toBe(JSON.stringify(EVENT));
});

it('has a signature that the published library and the service compute too', () => {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signature } = headers;
  expect(new Webhook(secret).sign(id, new Date(Number(timestamp) * 1_000), body)).toBe(signature);
  expect(headers).toMatchObject(signatureHeaders({ id, timestamp: Number(timestamp), body }, [secret]));
});

it('has the headers of the standard format and no others', () => {
  const signed = signatureHeaders({ id: EVENT.id, timestamp: Number(headers['webhook-timestamp']), body }, [secret]);
  expect(headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Busbar-Webhooks/1',
    ...signed,
    ...standardMessage(EVENT, body, { clientId: 'c_k3Jd8sQ1xZ0p' }).headers,
  });
});

it.each([
  ['the webhook fails', 'webhook_failed', 10],
  ['this event is refused', 'event_refused', 4],
  ['you want nothing more', 'webhook_gone', 1],
])('has the responses that mean that %s', (meaning, outcome, count) => {
  const row = DOCUMENT.split('\n').find((line) => line.startsWith('|') && line.includes(`| ${meaning}`));
  const statuses =
    row
      ?.split('|')[1]
      ?.match(/\b[345]\d\d\b/g)
      ?.map(Number) ?? [];
  expect(statuses).toHaveLength(count);
  expect(statuses.map(attemptOutcome)).toEqual(statuses.map(() => outcome));
});

it('has every push message of v1 and v2', () => {
  const expected = PUSH_KINDS.flatMap((kind) =>
    (['push-v1', 'push-v2'] as const).flatMap((format) => {
      const webhook = { description: '', types: [kind] };
      const [message] = pushMessages(format, exampleEvent(SENT_FOR[kind]), CHARGER, webhook);
      return [`# ${kind}, ${format}`, message?.body];
    }),
  );
  expect(blockOf('text', true).split('\n')).toEqual(expected);
});
