// A service for the smoke test, whose faults a test chooses.
import { readFileSync } from 'node:fs';
import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CertificatePair } from '@busbar/runtime';
import { WebSocketServer } from 'ws';
import type { Target } from '../smoke/target';

/** The status of a response, where it is not the expected one. */
export interface Faults {
  readonly ready?: number;
  readonly document?: number;
  /** The status of an upgrade of an unknown charger; 101 accepts it. */
  readonly unknown?: number;
  readonly create?: number;
  readonly upgrade?: number;
  readonly bootStatus?: string;
  /** The value of `activeConnection`, whatever the charger does. */
  readonly active?: boolean;
  readonly delete?: number;
  readonly hasNoSite?: boolean;
}

export interface FakeService {
  readonly target: Target;
  /** The paths of chargers and sites that exist. */
  readonly stored: ReadonlySet<string>;
  /** The keys that requests had. */
  readonly keys: ReadonlySet<unknown>;
  stop(): Promise<void>;
}

type Answer = readonly [status: number, body: unknown];

const CHARGER = /^\/v2\/chargers\/([^/]+)$/;
const NOT_READY = { checks: [{ name: 'store', ok: false, required: true, detail: 'The store is unavailable.' }] };

export async function startFakeService(
  { certFile, keyFile }: CertificatePair,
  faults: Faults = {},
): Promise<FakeService> {
  const stored = new Set<string>();
  const keys = new Set<unknown>();
  const websockets = new WebSocketServer({ noServer: true });
  let isConnected = false;

  function answer(method: string, path: string, input: string): Answer {
    if (path === '/v2/openapi.json') return [faults.document ?? 200, { openapi: '3.1.0' }];
    if (method === 'POST' && path === '/v2/sites') return add('/v2/sites/7', { id: 7 });
    if (method === 'POST') return createCharger(input);
    if (method === 'DELETE' && faults.delete !== undefined) return [faults.delete, {}];
    if (!stored.has(path)) return [404, {}];
    if (method === 'DELETE') stored.delete(path);
    return [200, CHARGER.test(path) ? { activeConnection: faults.active ?? isConnected } : {}];
  }

  function createCharger(input: string): Answer {
    if (faults.create !== undefined) return [faults.create, { detail: 'The API key is wrong.' }];
    const { chargerId, siteId } = JSON.parse(input) as { chargerId: string; siteId?: number };
    if (faults.hasNoSite === true && siteId !== 7) return [409, { code: 'site_required' }];
    return add(`/v2/chargers/${chargerId}`, {});
  }

  function add(path: string, body: unknown): Answer {
    stored.add(path);
    return [200, body];
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const isKnown = stored.has(`/v2/chargers/${request.url?.split('/').at(-1) ?? ''}`);
    const status = isKnown ? (faults.upgrade ?? 101) : (faults.unknown ?? 404);
    if (status !== 101) {
      const reason = STATUS_CODES[status] ?? '';
      socket.end(`HTTP/1.1 ${String(status)} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    websockets.handleUpgrade(request, socket, head, (websocket) => {
      isConnected = true;
      websocket.on('close', () => (isConnected = false));
      // A CALL of the service before its answer, as after a boot.
      websocket.send('[2,"c-1","GetConfiguration",{}]');
      websocket.on('message', (data: Buffer) => {
        const [type, id] = JSON.parse(data.toString('utf8')) as readonly unknown[];
        if (type === 2) websocket.send(JSON.stringify([3, id, { status: faults.bootStatus ?? 'Accepted' }]));
      });
    });
  }

  const secure = createSecureServer(
    { cert: readFileSync(certFile), key: readFileSync(keyFile) },
    (request, response) => {
      let input = '';
      request.on('data', (chunk) => (input += String(chunk)));
      request.on('end', () => {
        keys.add(request.headers['x-api-key']);
        const [status, body] = answer(request.method ?? '', request.url ?? '', input);
        response.writeHead(status).end(JSON.stringify(body));
      });
    },
  );
  secure.on('upgrade', upgrade);
  const internal = createServer((_request, response) => {
    response.writeHead(faults.ready ?? 200).end(JSON.stringify(faults.ready === undefined ? {} : NOT_READY));
  });
  const [port, internalPort] = [await listen(secure), await listen(internal)];
  return {
    target: {
      internals: [{ name: 'gateway', url: `http://127.0.0.1:${String(internalPort)}` }],
      v2: new URL(`https://127.0.0.1:${String(port)}`),
      ocpp: new URL(`wss://127.0.0.1:${String(port)}/ocpp/`),
      ca: readFileSync(certFile, 'utf8'),
      host: undefined,
    },
    stored,
    keys,
    async stop() {
      await Promise.all([secure, internal].map((server) => close(server)));
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
