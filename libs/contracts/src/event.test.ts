import { EVENT_TYPES, type EventName } from './event';
import { exampleEvent } from './event-examples';

const names = Object.keys(EVENT_TYPES) as EventName[];

it('belongs to a charger and has a sequence, unless it is an event of a webhook', () => {
  for (const name of names) {
    const { sequence, chargerId } = exampleEvent(name);
    const isWebhooks = name.startsWith('webhook.');
    expect([name, sequence === null, chargerId === null]).toEqual([name, isWebhooks, isWebhooks]);
  }
});

it('has a name of two words, of which the first names what it belongs to', () => {
  for (const name of names) expect(name).toMatch(/^(charger|socket|session|meter|tag|command|webhook)\.[a-z_]+$/);
});

it('has an id without a dot, which Standard Webhooks separates by', () => {
  for (const name of names) expect(exampleEvent(name).id).toMatch(/^evt_[^.]+$/);
});
