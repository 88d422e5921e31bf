// Starts charging, finds the session that the command began, and stops it. The charger must be connected.
//   API_KEY=… npx tsx start-session.ts ACME_1 1 04E91C5A123B80
import { randomUUID } from 'node:crypto';
import { api, dataOf, pause } from './client';

const [chargerId = 'ACME_1', socketId = '1', rfidTag = '04E91C5A123B80'] = process.argv.slice(2);
const WITHIN_S = 60;

/** Reads once a second until there is a result: the driver has to plug in. */
async function waitFor<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (let second = 0; second < WITHIN_S; second++) {
    const found = await read();
    if (found !== undefined) return found;
    await pause(1000);
  }
  throw new Error(`nothing after ${String(WITHIN_S)} seconds`);
}

// The id of the order: a repeated request with it starts nothing new.
const order = `order-${randomUUID()}`;
const { status, commandId } = await dataOf(
  api.POST('/v2/chargers/{chargerId}/start-charging', {
    params: { path: { chargerId }, header: { 'Idempotency-Key': order } },
    body: { socketId: Number(socketId), rfidTag },
  }),
);
if (status !== 'Accepted') throw new Error(`the charger refused: ${status}`);

const { transactionId } = await waitFor(async () => {
  const { items } = await dataOf(api.GET('/v2/sessions', { params: { query: { commandId } } }));
  return items[0];
});
console.log(`session ${String(transactionId)} of command ${commandId}`);

await dataOf(
  api.POST('/v2/chargers/{chargerId}/stop-transaction', {
    params: { path: { chargerId }, header: { 'Idempotency-Key': `${order}-stop` } },
    body: { transactionId },
  }),
);
const ended = await waitFor(async () => {
  const session = await dataOf(api.GET('/v2/sessions/{transactionId}', { params: { path: { transactionId } } }));
  return session.state === 'ongoing' ? undefined : session;
});
console.log(JSON.stringify(ended));
