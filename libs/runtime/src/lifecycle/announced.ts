import type { Logger, Service } from '@busbar/core';

interface Listening extends Service {
  address(): { readonly host: string; readonly port: number };
}

/** The same listener, which logs the address that it bound: port 0 means any. `what` names the listener in the log. */
export function announced<L extends Listening>(listener: L, what: string, logger: Logger): L {
  return {
    ...listener,
    async start() {
      await listener.start();
      const { host, port } = listener.address();
      logger.info({ what, host, port }, 'listening');
    },
  };
}
