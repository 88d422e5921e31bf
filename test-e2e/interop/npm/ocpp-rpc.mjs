// A charger on ocpp-rpc in strict mode: everything either side sends is compared with that package's own schemas.
import { RPCClient } from 'ocpp-rpc';
import { serve } from './lines.mjs';

const CALL_TIMEOUT_MS = 20_000;

serve(({ called, complain, closed }) => {
  let client;
  return {
    async connect({ url, chargerId, password, answers, reconnect = false, version = 'ocpp1.6' }) {
      client = new RPCClient({
        // It puts a slash of its own before the identity.
        endpoint: url.replace(/\/$/, ''),
        identity: chargerId,
        ...(password === undefined ? {} : { password }),
        protocols: [version],
        strictMode: true,
        respondWithDetailedErrors: true,
        callTimeoutMs: CALL_TIMEOUT_MS,
        reconnect,
      });
      client.on('strictValidationFailure', ({ method, error }) => complain(`${method}: ${describe(error)}`));
      client.on('badMessage', ({ error }) => complain(describe(error)));
      // It is closed only where it does not reconnect.
      client.on(reconnect ? 'disconnect' : 'close', ({ code }) => closed(code));
      for (const [action, answer] of Object.entries(answers)) {
        client.handle(action, ({ params }) => {
          called(action, params);
          return answer;
        });
      }
      await client.connect();
    },
    call: ({ action, payload }) => client.call(action, payload),
    close: () => client.close({ code: 1000 }),
  };
});

function describe(error) {
  return `${error.message} ${JSON.stringify(error.details ?? {})}`;
}
