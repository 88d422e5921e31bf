import type { Socket } from 'node:net';

export interface OpenSockets {
  add(socket: Socket): void;
  /** Upgraded: no longer the listener's to close. Takes the TLS socket on top of the one that was added as well. */
  release(socket: Socket): void;
  destroyAll(): void;
}

/** The sockets that the listener has to close when it stops. */
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

/** By its other end, which is what a TLS socket and the one beneath it have in common. */
export function connectionKey({ remoteAddress, remotePort }: Socket): string {
  return `${String(remoteAddress)} ${String(remotePort)}`;
}
