import { createListener, type Listener } from '@busbar/http';
import { systemClock } from '@busbar/core';
import { ask, createRecordingLogger } from '@busbar/testing';
import { openApp, type TestApp } from './testing/open-app';

interface Schema {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
}

/** Two to a key, and room for what clients and proxies add. */
const OTHER_HEADERS = 'x'.repeat(8_000);

describe('the longest query that the document allows', () => {
  let world: TestApp;
  let listener: Listener;
  beforeAll(async () => {
    world = await openApp();
    listener = createListener({
      host: '127.0.0.1',
      port: 0,
      trustedProxies: ['127.0.0.1'],
      logger: createRecordingLogger(),
      clock: systemClock,
      onRequest: world.app.handle,
    });
    await listener.start();
  });
  afterAll(async () => {
    await listener.stop();
    await world.close();
  });

  it('169. is accepted by every operation, also with the longest tags', async () => {
    const paths = world.app.openApi['paths'] as Record<string, Record<string, Operation>>;
    const lengths: number[] = [];
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, { parameters }] of Object.entries(operations)) {
        const query = parameters.filter((each) => each.in === 'query').map(longest);
        const target = `${path.replace(/\{\w+\}/g, '1')}?${query.join('&')}`;
        const headers = { 'x-forwarded-proto': 'https', 'x-api-key': world.own.secret, 'x-other': OTHER_HEADERS };
        const reply = await ask(`http://127.0.0.1:${String(listener.address().port)}${target}`, {
          method: method.toUpperCase(),
          headers,
        });
        const issues = reply.status === 400 ? (reply.json()['errors'] as { path: string }[]) : [];
        expect({ target: `${method} ${path}`, status: reply.status }).not.toMatchObject({ status: 431 });
        // A query that contradicts itself violates another rule than its schema.
        expect(
          issues.filter((issue) => issue.path.startsWith('?') && !/from|to|Time|after|before/.test(issue.path)),
        ).toEqual([]);
        lengths.push(target.length);
      }
    }
    expect(Math.max(...lengths)).toBeGreaterThan(100_000);
  });
});

function longest({ name, schema }: Operation['parameters'][number]): string {
  const { items, maxItems = Infinity } = schema;
  if (items === undefined) return `${name}=${longestValue(schema)}`;
  return Array.from({ length: maxItems }, (_, index) => `${name}=${longestValue(items, index)}`).join('&');
}

function longestValue(schema: Schema, index = 0): string {
  if (schema.enum !== undefined) return [...schema.enum].sort((a, b) => b.length - a.length)[0] ?? '';
  if (schema.type === 'boolean') return 'false';
  if (schema.type === 'integer') return String((schema.maximum ?? NaN) - index);
  if (schema.format === 'date-time') return encodeURIComponent('2026-01-31T12:00:00.000000000+00:00');
  if (schema.pattern !== undefined && schema.maxLength !== undefined) return 'A'.repeat(schema.maxLength);
  // The pattern of a charger's id.
  if (schema.pattern !== undefined) return '%7C'.repeat(48);
  return encodeURIComponent('\u{1f50c}'.repeat(schema.maxLength ?? Infinity));
}
