import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAsyncApi } from './async-api';

it('has the document made from the channel table in docs/asyncapi.json (npm run documents writes it)', () => {
  const written: unknown = JSON.parse(readFileSync(join(__dirname, '../../../docs/asyncapi.json'), 'utf8'));
  expect(written).toEqual(JSON.parse(JSON.stringify(buildAsyncApi())));
});
