// The owner-only local socket of the process that has the data file. One JSON line in, one JSON line out.
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { createId, isAppError, type Logger, type Service } from '@busbar/core';
import { isMisuse, type AdminContext } from './command';
import { runAdminCommand } from './commands';
import { parseAdminRequest, type AdminReply } from './protocol';
import { prepareAdminSocket } from './socket-path';

export interface AdminServerOptions {
  readonly directory: string;
  readonly context: AdminContext;
  readonly logger: Logger;
}

const REQUEST_BYTES = 65_536;
const REQUEST_WITHIN_MS = 10_000;
const MAX_CONNECTIONS = 8;
/** The option of a command that continues a list. */
const AFTER = '--after';

/** Serves administration commands to the owner of the process. Start it after the store, which creates the directory. */
export function createAdminServer(options: AdminServerOptions): Service {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  return {
    name: 'administration',
    async start() {
      if (server !== undefined) return;
      const path = prepareAdminSocket(options.directory);
      // Left by a killed process: no other process can listen, since this one has the data directory.
      rmSync(path, { force: true });
      server = createServer((socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket));
        serve(socket, options);
      });
      server.maxConnections = MAX_CONNECTIONS;
      await listen(server, path);
    },
    async stop() {
      const closing = server;
      server = undefined;
      if (closing === undefined) return;
      const closed = new Promise((resolve) => closing.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    ready: () => server !== undefined,
  };
}

function listen(server: Server, path: string): Promise<void> {
  // Node binds within listen(): with this mask the socket is never, not for a moment, another user's to open.
  const mask = process.umask(0o177);
  try {
    return new Promise((resolve, reject) => {
      server.on('error', reject);
      server.listen(path, () => {
        chmodSync(path, 0o600);
        resolve();
      });
    });
  } finally {
    process.umask(mask);
  }
}

function serve(socket: Socket, options: AdminServerOptions): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.setTimeout(REQUEST_WITHIN_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  const onData = (chunk: string): void => {
    text += chunk;
    if (text.length > REQUEST_BYTES) {
      socket.destroy();
      return;
    }
    const end = text.indexOf('\n');
    if (end < 0) return;
    socket.off('data', onData);
    // A backup may take longer than a request.
    socket.setTimeout(0);
    void answer(text.slice(0, end), options).then((reply) => socket.end(`${JSON.stringify(reply)}\n`));
  };
  socket.on('data', onData);
}

async function answer(line: string, { context, logger }: AdminServerOptions): Promise<AdminReply> {
  try {
    const request = parseAdminRequest(line);
    const { line: words } = request;
    // A followed log asks each second.
    logger[words.includes(AFTER) ? 'debug' : 'info']({ command: words.slice(0, 2).join(' ') }, 'administration');
    return { ok: true, ...(await runAdminCommand(context, request.line)) };
  } catch (error) {
    if (isAppError(error))
      return { ok: false, code: error.code, message: error.message, ...(isMisuse(error) ? { isMisuse: true } : {}) };
    const errorId = createId();
    logger.error({ err: error, errorId }, 'administration command failed');
    return { ok: false, code: 'internal', message: `The command failed: see the log for the error ${errorId}.` };
  }
}
