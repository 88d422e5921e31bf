import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Served {
  /** `http://127.0.0.1:…` */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves plain HTTP on a free port of this machine. */
export async function serve(handle: RequestListener): Promise<Served> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    async close() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
