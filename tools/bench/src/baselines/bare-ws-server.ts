import { WebSocketServer } from 'ws';

export interface BareWsServer {
  readonly port: number;
  close(): void;
}

/** Baseline B1: parses each CALL and answers it, without checks, storage or forwarding. */
export function startBareWsServer(): Promise<BareWsServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const [, messageId] = JSON.parse(data.toString('utf8')) as [number, string];
      socket.send(JSON.stringify([3, messageId, { currentTime: new Date().toISOString() }]));
    });
    socket.on('error', () => socket.terminate());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      resolve({
        port,
        close() {
          for (const socket of server.clients) socket.terminate();
          server.close();
        },
      });
    });
  });
}
