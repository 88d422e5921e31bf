import type { Socket } from 'node:net';

export interface OpenSockets {
  add(socket: Socket): void;
  /** Forgets an upgraded socket, which its handler closes. Accepts the TLS socket of an added one. */
  release(socket: Socket): void;
  destroyAll(): void;
}

/** The sockets that the listener closes when it stops. */
export function createOpenSockets(): OpenSockets {
  const sockets = new Map<string, Socket>();
  return {
    add(socket) {
      const key = connectionKey(socket);
      sockets.set(key, socket);
      socket.once('close', () => {
        if (sockets.get(key) === socket) sockets.delete(key);
      });
    },
    release(socket) {
      sockets.delete(connectionKey(socket));
    },
    destroyAll() {
      for (const socket of sockets.values()) socket.destroy();
    },
  };
}

/** The address of the peer, which a TLS socket and its underlying socket have in common. */
export function connectionKey({ remoteAddress, remotePort }: Socket): string {
  return `${String(remoteAddress)} ${String(remotePort)}`;
}
