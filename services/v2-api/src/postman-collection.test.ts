import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { answerAuthorizations } from '@busbar/api/testing';
import { openApp } from './testing/open-app';

const ROOT = join(__dirname, '../../..');
const FOLDER = join(ROOT, 'docs/api');

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly body?: { readonly raw: string };
    readonly url: {
      readonly raw: string;
      readonly variable: readonly { readonly key: string; readonly value: string }[];
    };
  };
}

interface Collection {
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
}

describe('docs/api/v2.postman.json', () => {
  const collection = read('v2.postman.json') as Collection;
  const items = collection.item.flatMap(({ item }) => item);

  it('is made of docs/api/v2.openapi.json (npm run documents writes it)', () => {
    const generator = pathToFileURL(join(ROOT, 'tools/postman.mjs')).href;
    const document = JSON.stringify(join(FOLDER, 'v2.openapi.json'));
    const script = `import { readFileSync } from 'node:fs';
      import { postmanCollection } from '${generator}';
      console.log(JSON.stringify(postmanCollection(JSON.parse(readFileSync(${document}, 'utf8')))));`;
    const made = execFileSync(process.execPath, ['--input-type=module', '-e', script], { maxBuffer: 50_000_000 });
    expect(collection).toEqual(JSON.parse(made.toString('utf8')));
  });

  it('has every operation of the document', () => {
    const { paths } = read('v2.openapi.json') as { paths: Record<string, Record<string, { summary: string }>> };
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ summary }) => summary));
    expect(items.map(({ name }) => name).sort()).toEqual(operations.sort());
  });

  it('has requests that the service accepts', async () => {
    const world = await openApp();
    const answer = { outcome: 'judged', verdict: 'accepted', tookMs: 1, validForMs: 0 } as const;
    await answerAuthorizations(world.platform, answer);
    const headers = await world.keyHeader();
    try {
      // A stream stays open; what is deleted is of no use to the others.
      const sent = items.filter(({ request: { url } }) => !url.raw.endsWith('/stream'));
      const deletions = sent.filter(({ request }) => request.method === 'DELETE');
      for (const { name, request } of [...sent.filter((item) => !deletions.includes(item)), ...deletions]) {
        const path = request.url.variable.reduce(
          (url, { key, value }) => url.replace(`:${key}`, encodeURIComponent(value)),
          request.url.raw.replace('{{baseUrl}}', ''),
        );
        const body = request.body === undefined ? {} : { body: JSON.parse(request.body.raw) as unknown };
        const { status, text } = await world.callRaw(request.method, path, { ...body, headers });
        // Some records of the examples are not there, and the charger is not connected.
        expect([200, 404, 409].includes(status) ? '' : `${name}: ${String(status)} ${text}`).toBe('');
      }
    } finally {
      await world.close();
    }
  }, 60_000);
});
