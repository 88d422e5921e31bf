// A TCP proxy that a test can cut, or make half-open as a pulled cable does.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  readonly port: number;
  /** Where new connections lead from now on. */
  retarget(target: Target): void;
  /** Resets every connection, and each new one until `heal`. */
  cut(): void;
  /** Drops all data without closing; new connections are accepted and stay silent until `heal`. */
  blackHole(): void;
  /** New connections pass again. Those that went dead stay so, as they would. */
  heal(): void;
  stop(): Promise<void>;
}

export interface Target {
  readonly host: string;
  readonly port: number;
}

const LOOPBACK = '127.0.0.1';

/** Gives where a new connection leads, by the port that it comes from; undefined resets it. */
export type ChooseTarget = (clientPort: number) => Target | undefined;

/** Listens on a free port, by default of loopback, and forwards all bytes. */
export async function startTcpProxy(first: Target | ChooseTarget, host = LOOPBACK): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  let choose: ChooseTarget = typeof first === 'function' ? first : () => first;
  let mode: 'open' | 'cut' | 'hole' = 'open';

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  }

  function pass(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      if (!dead.has(from) && !to.write(chunk)) from.pause();
    });
    to.on('drain', () => {
      if (!dead.has(from)) from.resume();
    });
    from.on('close', () => {
      // Delivers the bytes before the end: a close frame is among them.
      if (!dead.has(from)) to.destroySoon();
    });
  }

  const server = createServer((client) => {
    keep(client);
    if (mode === 'cut') {
      client.resetAndDestroy();
      return;
    }
    if (mode === 'hole') {
      dead.add(client);
      return;
    }
    const target = choose(client.remotePort ?? 0);
    if (target === undefined) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target.port, target.host);
    keep(upstream);
    pass(client, upstream);
    pass(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));

  return {
    port: (server.address() as AddressInfo).port,
    retarget: (next) => void (choose = () => next),
    cut() {
      mode = 'cut';
      for (const socket of sockets) socket.resetAndDestroy();
    },
    blackHole() {
      mode = 'hole';
      for (const socket of sockets) {
        dead.add(socket);
        socket.pause();
      }
    },
    heal: () => void (mode = 'open'),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** In front of the server that the URL names. */
export function startProxyTo(url: string, host = LOOPBACK): Promise<TcpProxy> {
  return startTcpProxy(addressOf(url), host);
}

/** The same address by way of the proxy. Asked directly: a driver that asks the server who it is would go around it. */
export function through(url: string, proxy: TcpProxy): string {
  const moved = url.replace(/(^[a-z]+:\/\/(?:[^@/]*@)?)[^/?]*/, `$1${LOOPBACK}:${String(proxy.port)}`);
  if (!url.startsWith('mongodb')) return moved;
  return `${moved}${moved.includes('?') ? '&' : '?'}directConnection=true`;
}

/**
 * Returns the host and port of a server at one address. A URL with several names or a look-up cannot be put behind a
 * proxy.
 */
function addressOf(url: string): Target {
  const [, host, port] = /^[a-z]+:\/\/(?:[^@/]*@)?([^:/,]+):(\d+)(?:[/?]|$)/.exec(url) ?? [];
  if (host === undefined) throw new Error('fault tests want a server at one host and port');
  return { host, port: Number(port) };
}
