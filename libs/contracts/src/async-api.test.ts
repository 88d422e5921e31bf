import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildAsyncApi } from './async-api';

it('the AsyncAPI document is what the channel table says (npm run documents writes it)', () => {
  const written: unknown = JSON.parse(readFileSync(join(__dirname, '../../../docs/asyncapi.json'), 'utf8'));
  expect(written).toEqual(JSON.parse(JSON.stringify(buildAsyncApi())));
});
