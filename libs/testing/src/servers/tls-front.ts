// TLS in front of a server that speaks none: what comes in is passed on, and back.
import { connect, type AddressInfo } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';

export interface TlsFront {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. Rejects when it cannot. */
export async function startTlsFront(options: TlsOptions, target: { host: string; port: number }): Promise<TlsFront> {
  const open = new Set<{ destroy(): unknown }>();
  const server = createServer(options, (secure) => {
    const plain = connect(target);
    for (const [one, other] of [
      [secure, plain],
      [plain, secure],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
