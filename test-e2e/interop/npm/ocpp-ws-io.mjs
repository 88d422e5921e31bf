// A charger on ocpp-ws-io in strict mode: everything either side sends is compared with that package's own schemas.
import { OCPPClient, SecurityProfile } from 'ocpp-ws-io';
import { serve } from './lines.mjs';

const CALL_TIMEOUT_MS = 20_000;

serve(({ called, complain, closed }) => {
  let client;
  let spoken;
  return {
    async connect({ url, chargerId, password, answers, reconnect = false, version = 'ocpp1.6' }) {
      spoken = version;
      const isSecure = url.startsWith('wss:');
      const withPassword = isSecure ? SecurityProfile.TLS_BASIC_AUTH : SecurityProfile.BASIC_AUTH;
      client = new OCPPClient({
        // It puts a slash of its own before the identity.
        endpoint: url.replace(/\/$/, ''),
        identity: chargerId,
        ...(password === undefined ? {} : { password, securityProfile: withPassword }),
        protocols: [version],
        strictMode: true,
        respondWithDetailedErrors: true,
        callTimeoutMs: CALL_TIMEOUT_MS,
        reconnect,
        logging: false,
      });
      client.on('strictValidationFailure', ({ message, error }) =>
        complain(`${JSON.stringify(message)}: ${describe(error)}`),
      );
      client.on('badMessage', ({ error }) => complain(describe(error)));
      client.on('handlerError', ({ method, error }) => complain(`${method}: ${describe(error)}`));
      // Its failures are rejections of `connect`, too.
      client.on('error', () => undefined);
      // It is closed only where it does not reconnect.
      client.on(reconnect ? 'disconnect' : 'close', ({ code }) => closed(code));
      for (const [action, answer] of Object.entries(answers)) {
        client.handle(version, action, ({ params }) => {
          called(action, params);
          return answer;
        });
      }
      await client.connect();
    },
    call: ({ action, payload }) => client.call(spoken, action, payload),
    close: () => client.close({ code: 1000 }),
  };
});

function describe(error) {
  return `${error.message} ${JSON.stringify(error.details ?? {})}`;
}
