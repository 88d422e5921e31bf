import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFeedAsyncApi } from './feed-async-api';

it('has the document made from the types of events in docs/api/events.asyncapi.json (npm run documents writes it)', () => {
  const written: unknown = JSON.parse(readFileSync(join(__dirname, '../../../docs/api/events.asyncapi.json'), 'utf8'));
  expect(written).toEqual(JSON.parse(JSON.stringify(buildFeedAsyncApi())));
});
