import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createAuthority } from '@busbar/testing';
import { createEgress, type Egress, type EgressOptions } from './egress';

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listen(server: Server, host = '127.0.0.1') {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
  });
  server.listen(0, host);
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

function egressFor(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allowedCidrs: [], loopback: false, plainHttp: false, ...options });
  closers.push(() => egress.close());
  return egress;
}

const send = (egress: Egress, url: string, timeoutMs = 15_000) =>
  egress.send({ method: 'POST', url, headers: { 'x-test': '1' }, body: 'body', timeoutMs, maxResponseBytes: 10 });

/** A name of these addresses, a list for each look-up. */
function resolving(...lookups: (readonly string[])[]): NonNullable<EgressOptions['resolve']> {
  return () => {
    const addresses = lookups.length > 1 ? lookups.shift() : lookups[0];
    return Promise.resolve((addresses ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
}

/** One of each range of section 6 of the rules of events. */
const NOT_PUBLIC = [
  ...['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '192.0.0.170'],
  ...['198.18.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fec0::1', '::ffff:127.0.0.1', '64:ff9b::808:808'],
  ...['64:ff9b:1::808:808', '2002:808:808::1', '2001::1', '2001:db8::1', 'ff02::1'],
];

const OPEN = { allowedCidrs: ['127.0.0.1'], plainHttp: true };
const RECEIVER = { names: ['receiver.example.com'], addresses: ['127.0.0.1'] };
const respond: RequestListener = (request, response) => {
  response.setHeader('connection', 'close');
  request.pipe(response);
};

describe('requests to servers of others', () => {
  it('sends to a permitted address and reads the response to its limit', async () => {
    const { port } = await listen(createServer((_request, response) => response.end('0123456789abc')));
    const url = `http://receiver.example.com:${String(port)}/`;
    const response = await send(egressFor({ ...OPEN, resolve: resolving(['127.0.0.1']) }), url);
    expect(response).toMatchObject({ status: 200, truncated: true });
    expect(response.body.toString()).toBe('0123456789');
  });

  it.each(NOT_PUBLIC)('7: refuses a name that resolves to %s, without a connection', async (address) => {
    const { port, connections } = await listen(createServer(respond), address === '::1' ? address : '0.0.0.0');
    const egress = egressFor({ resolve: resolving([address]) });
    const sent = send(egress, `https://receiver.example.com:${String(port)}/`);
    await expect(sent).rejects.toMatchObject({ code: 'address_refused' });
    expect(connections()).toBe(0);
  });

  it('refuses a name of which one address of several is not permitted', async () => {
    const { port, connections } = await listen(createServer(respond));
    const egress = egressFor({ ...OPEN, resolve: resolving(['127.0.0.1', '10.0.0.1']) });
    const sent = send(egress, `http://receiver.example.com:${String(port)}/`);
    await expect(sent).rejects.toMatchObject({ code: 'address_refused' });
    expect(connections()).toBe(0);
  });

  it('7: refuses a name that resolves to another address at the next connection', async () => {
    const { port, connections } = await listen(createServer(respond), '0.0.0.0');
    const egress = egressFor({ ...OPEN, resolve: resolving(['127.0.0.1'], ['127.0.0.2']) });
    const url = `http://receiver.example.com:${String(port)}/`;
    await expect(send(egress, url)).resolves.toMatchObject({ status: 200 });
    await expect(send(egress, url)).rejects.toMatchObject({ code: 'address_refused' });
    expect(connections()).toBe(1);
  });

  it.each(NOT_PUBLIC)('7: refuses the address %s in the URL, without a connection', async (address) => {
    const { port, connections } = await listen(createServer(respond), address === '::1' ? address : '0.0.0.0');
    const host = address.includes(':') ? `[${address}]` : address;
    const sent = send(egressFor(), `https://${host}:${String(port)}/`);
    await expect(sent).rejects.toMatchObject({ code: 'address_refused' });
    expect(connections()).toBe(0);
  });

  it('does not follow a redirect', async () => {
    const target = await listen(createServer(respond));
    const location = `http://127.0.0.1:${String(target.port)}/`;
    const { port } = await listen(createServer((_request, response) => response.writeHead(307, { location }).end()));
    await expect(send(egressFor(OPEN), `http://127.0.0.1:${String(port)}/`)).resolves.toMatchObject({
      status: 307,
    });
    expect(target.connections()).toBe(0);
  });

  it('verifies certificates by the authorities of Node.js and those given', async () => {
    const authority = await createAuthority('test authority');
    const { cert, key } = await authority.issue('receiver', RECEIVER);
    const { port } = await listen(createTlsServer({ cert, key }, respond));
    const options = { allowedCidrs: ['127.0.0.1'], resolve: resolving(['127.0.0.1']) };
    const url = `https://receiver.example.com:${String(port)}/`;
    await expect(send(egressFor(options), url)).rejects.toMatchObject({ code: 'tls' });
    const trusting = egressFor({ ...options, authorities: authority.cert });
    await expect(send(trusting, url)).resolves.toMatchObject({ status: 200 });
    const other = `https://other.example.com:${String(port)}/`;
    await expect(send(trusting, other)).rejects.toMatchObject({ code: 'tls' });
  });

  it('sends everything through the proxy, by CONNECT, without resolving the name', async () => {
    const authority = await createAuthority('test authority');
    const { cert, key } = await authority.issue('receiver', RECEIVER);
    const target = await listen(createTlsServer({ cert, key }, respond));
    const proxy = createServer();
    const asked: string[] = [];
    proxy.on('connect', (request, client: Socket) => {
      asked.push(request.url ?? '');
      const upstream = connect(target.port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 OK\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
    });
    const { port } = await listen(proxy);
    const egress = egressFor({ proxyUrl: `http://127.0.0.1:${String(port)}`, authorities: authority.cert });
    await expect(send(egress, 'https://receiver.example.com/')).resolves.toMatchObject({ status: 200 });
    expect(asked).toEqual(['receiver.example.com:443']);
  });

  it('names the fault of a request without a response', async () => {
    const silent = await listen(createServer(() => {}));
    const broken = await listen(createServer((request) => request.socket.destroy()));
    const closed = createServer();
    const { port: closedPort } = await listen(closed);
    closed.close();
    await once(closed, 'close');
    const at = (port: number): string => `http://127.0.0.1:${String(port)}/`;
    await expect(send(egressFor(OPEN), at(silent.port), 50)).rejects.toMatchObject({ code: 'timeout' });
    await expect(send(egressFor(OPEN), at(broken.port))).rejects.toMatchObject({ code: 'reset' });
    await expect(send(egressFor(OPEN), at(closedPort))).rejects.toMatchObject({ code: 'refused' });
    const unknown = { resolve: () => Promise.reject(Object.assign(new Error('no name'), { code: 'ENOTFOUND' })) };
    const sent = send(egressFor(unknown), 'https://receiver.example.com/');
    await expect(sent).rejects.toMatchObject({ code: 'dns' });
  });
});
