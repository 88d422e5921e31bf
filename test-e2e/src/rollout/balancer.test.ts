import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { eventually } from '@busbar/testing';
import { createRandom } from '../faults/random';
import { startBalancer, type Balancer } from './balancer';

interface Peer {
  readonly target: { readonly host: string; readonly port: number };
  readonly sockets: Socket[];
  readonly server: Server;
}

let balancer: Balancer;
const peers: Peer[] = [];

/** A server that greets with its name. */
async function startPeer(name: string): Promise<Peer> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    sockets.push(socket);
    socket.write(name);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const peer = { target: { host: '127.0.0.1', port: (server.address() as AddressInfo).port }, sockets, server };
  peers.push(peer);
  return peer;
}

/** Resolves with the greeting and the connection. */
async function greeted(): Promise<{ greeting: string; socket: Socket }> {
  const socket = connect(balancer.port, '127.0.0.1');
  const [greeting] = (await once(socket, 'data')) as [Buffer];
  return { greeting: String(greeting), socket };
}

beforeEach(async () => {
  balancer = await startBalancer(createRandom(1));
});
afterEach(async () => {
  await balancer.stop();
  for (const { server } of peers.splice(0)) server.close();
});

it('leads new connections to each target that it has, and knows which', async () => {
  for (const name of ['one', 'two']) balancer.add(name, (await startPeer(name)).target);
  const seen = new Set<string>();
  await eventually(async () => {
    const { greeting, socket } = await greeted();
    expect(balancer.nameOf(socket.localPort ?? 0)).toBe(greeting);
    seen.add(greeting);
    socket.destroy();
    return seen.size === 2;
  });
});

it('keeps the open connections of a target that is removed', async () => {
  const one = await startPeer('one');
  balancer.add('one', one.target);
  const { socket } = await greeted();
  balancer.add('two', (await startPeer('two')).target);
  balancer.remove('one');
  for (let n = 0; n < 5; n += 1) {
    const other = await greeted();
    expect(other.greeting).toBe('two');
    other.socket.destroy();
  }
  one.sockets[0]?.write('still there');
  const [text] = (await once(socket, 'data')) as [Buffer];
  expect(String(text)).toBe('still there');
  socket.destroy();
});

it('delivers what a target sent just before it closed', async () => {
  const one = await startPeer('one');
  balancer.add('one', one.target);
  const { socket } = await greeted();
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = once(socket, 'close');
  one.sockets[0]?.end(Buffer.alloc(1_000_000));
  await closed;
  expect(Buffer.concat(chunks)).toHaveLength(1_000_000);
});

it('resets connections while it has no target', async () => {
  const socket = connect(balancer.port, '127.0.0.1');
  const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNRESET');
});
