import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

it('is in the table of docs/events.md with its permission', () => {
  const document = readFileSync(join(__dirname, '../../../docs/events.md'), 'utf8').replace(/ +/g, ' ');
  const rows = names.map((name) => `| \`${name}\` | ${EVENT_TYPES[name].when} | \`${EVENT_TYPES[name].needs}\` |`);
  for (const row of rows) expect(document).toContain(row);
});
