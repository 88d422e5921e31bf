// Creates a site and a charger in it, and reads the charger.
//   API_KEY=… npx tsx quickstart.ts ACME_1
import { api, dataOf } from './client';

const [chargerId = 'ACME_1'] = process.argv.slice(2);

// A repeated run gets the same records: each creation has an Idempotency-Key of its own, for 24 hours.
const site = await dataOf(
  api.POST('/v2/sites', {
    params: { header: { 'Idempotency-Key': `site-of-${chargerId}` } },
    body: { name: 'Harbour' },
  }),
);
await dataOf(
  api.POST('/v2/chargers', {
    params: { header: { 'Idempotency-Key': `charger-${chargerId}` } },
    body: { name: 'Quay', chargerId, siteId: site.id },
  }),
);
console.log(JSON.stringify(await dataOf(api.GET('/v2/chargers/{chargerId}', { params: { path: { chargerId } } }))));
