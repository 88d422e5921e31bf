import type { Socket } from 'node:net';

export type OpenSockets = ReturnType<typeof createOpenSockets>;

/** The sockets that the listener closes when it stops. */
export function createOpenSockets() {
  const sockets = new Map<string, Socket>();
  return {
    add(socket: Socket): void {
      const key = connectionKey(socket);
      sockets.set(key, socket);
      socket.once('close', () => {
        if (sockets.get(key) === socket) sockets.delete(key);
      });
    },
    /** Forgets an upgraded socket, which its handler closes. Accepts the TLS socket of an added one. */
    release(socket: Socket): void {
      sockets.delete(connectionKey(socket));
    },
    destroyAll(): void {
      for (const socket of sockets.values()) socket.destroy();
    },
  };
}

/** The address of the peer, which a TLS socket and its underlying socket have in common. */
export function connectionKey({ remoteAddress, remotePort }: Socket): string {
  return `${String(remoteAddress)} ${String(remotePort)}`;
}
