import type { AddressInfo, Server } from 'node:net';
import { AppError } from '@busbar/core';

export interface Place {
  readonly host: string;
  readonly port: number;
  /** The variables that set them, for error messages. */
  readonly portVariable: string;
  readonly hostVariable: string;
}

export interface BoundAddress {
  readonly host: string;
  /** The bound port; for port 0 a free one. */
  readonly port: number;
}

/** Connections that wait to be accepted: after an outage thousands of chargers reconnect in the same second. */
const BACKLOG = 4096;

/** Binds. Rejects with `unavailable` for a port in use, and with `invalid_configuration` for one that is not allowed. */
export function bind(server: Server, place: Place): Promise<BoundAddress> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(translate(error, place));
    server.once('error', failed);
    server.listen({ host: place.host, port: place.port, backlog: BACKLOG }, () => {
      server.removeListener('error', failed);
      const { address, port } = server.address() as AddressInfo;
      resolve({ host: address, port });
    });
  });
}

function translate(cause: NodeJS.ErrnoException, { host, port, portVariable, hostVariable }: Place): AppError {
  const options = { cause };
  const where = `Port ${String(port)} at ${host}`;
  if (cause.code === 'EADDRINUSE') {
    const sentence = `${where} is taken by another process: stop that one or set ${portVariable} to another port.`;
    return new AppError('unavailable', sentence, options);
  }
  if (cause.code === 'EACCES') {
    const sentence = `${where} may not be used by this user: set ${portVariable} to a port above 1023.`;
    return new AppError('invalid_configuration', sentence, options);
  }
  const sentence = `${host} is no address of this machine (${cause.code ?? cause.message}): correct ${hostVariable}.`;
  return new AppError('invalid_configuration', sentence, options);
}
