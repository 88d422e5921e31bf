import { EVENT_TYPES, exampleEvent, type EventName } from '@busbar/contracts';
import { standardMessage } from './standard';

const NAMES = Object.keys(EVENT_TYPES) as EventName[];
const WEBHOOK = { clientId: 'c_k3Jd' };

it.each(NAMES)('sends %s byte for byte as it is in the feed', (name) => {
  const event = exampleEvent(name);
  // Spaces, order and escapes that another serializer would not write.
  const json = ` ${JSON.stringify(event, null, 1)}\\u00e9 `;
  expect(standardMessage(event, json, WEBHOOK)).toMatchObject({ id: event.id, body: json });
});

it('has the headers of the binary content mode of CloudEvents', () => {
  expect(standardMessage(exampleEvent('charger.booted'), '{}', WEBHOOK).headers).toEqual({
    'ce-specversion': '1.0',
    'ce-id': 'evt_01J9Z3N5V7C8R2K4M6P8Q0S2T4_830',
    'ce-type': 'charger.booted',
    'ce-source': 'urn:busbar:c_k3Jd',
    'ce-time': '2026-01-31T11:42:10.417Z',
    'ce-subject': 'ACME-17',
  });
});

it('has no subject for an event of no charger', () => {
  expect(standardMessage(exampleEvent('webhook.test'), '{}', WEBHOOK).headers).not.toHaveProperty('ce-subject');
});

it('encodes ids of clients that a header cannot have', () => {
  const { headers } = standardMessage(exampleEvent('webhook.test'), '{}', { clientId: 'Zürich 1\r\n' });
  expect(headers['ce-source']).toBe('urn:busbar:Z%C3%BCrich%201%0D%0A');
});
