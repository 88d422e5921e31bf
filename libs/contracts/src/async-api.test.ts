import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAsyncApi } from './async-api';

it('has the document made from the channel table in docs/asyncapi.json (npm run documents writes it)', () => {
  const written: unknown = JSON.parse(readFileSync(join(__dirname, '../../../docs/asyncapi.json'), 'utf8'));
  expect(written).toEqual(JSON.parse(JSON.stringify(buildAsyncApi())));
});

it('171. has a SEND as a report without an answer', () => {
  const fields = { kind: { enum: expect.arrayContaining(['report']) as unknown }, unanswered: { const: true } };
  const reports = { type: 'array', items: { properties: fields } };
  expect(buildAsyncApi()).toMatchObject({
    channels: { 'busbar.reports': { messages: { body: { payload: { properties: { reports } } } } } },
  });
});
