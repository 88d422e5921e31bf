// A charger on ocpp-ts, which holds every CALL of ours against its own schemas.
import { createRequire } from 'node:module';
import { serve } from './lines.mjs';

const { OcppClient } = createRequire(import.meta.url)('ocpp-ts');

serve(({ called, complain, closed }) => {
  // The stack reports a frame that it cannot read this way.
  console.error = (text) => complain(String(text));
  let client;
  return {
    connect({ url, chargerId, password, answers }) {
      client = new OcppClient(encodeURIComponent(chargerId));
      for (const [action, answer] of Object.entries(answers)) {
        client.on(action, (payload, reply) => {
          called(action, payload);
          reply(answer);
        });
      }
      const connected = new Promise((resolve, reject) => {
        client.on('connect', resolve);
        client.on('error', reject);
      });
      client.on('close', closed);
      const basic = Buffer.from(`${chargerId}:${password}`).toString('base64');
      client.connect(url, password === undefined ? {} : { authorization: `Basic ${basic}` });
      return connected.then(() => ({}));
    },
    call: ({ action, payload }) => client.callRequest(action, payload),
    // It has no way to close of its own.
    async close() {
      client.connection?.socket.close(1000);
    },
  };
});
