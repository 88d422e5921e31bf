// Tests which user may be on the other end of the administration socket. Another user is made with `chown`, which only
// root may.
import { chmod, chown, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { askRunningProcess } from './admin-client';
import { findAdminSocket, prepareAdminSocket } from './socket-path';

const OTHER_USER = 65_534;
const asRoot = process.getuid?.() === 0 ? it : it.skip;
let directory: string;
let runtime: string;
let servers: Server[];
let elsewhere: string[];
beforeEach(async () => {
  servers = [];
  elsewhere = [];
  directory = await mkdtemp(join(tmpdir(), 'socket-'));
  runtime = await mkdtemp(join(tmpdir(), 'runtime-'));
});
afterEach(async () => {
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
  for (const path of [directory, runtime, ...elsewhere]) await rm(path, { recursive: true, force: true });
});

interface Impostor {
  /** Received data. */
  received(): string;
}

/** Answers every command of any user. */
async function listen(path: string): Promise<Impostor> {
  let received = '';
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      received += String(chunk);
      socket.end('{"ok":true,"lines":["done"]}\n');
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { received: () => received };
}

const COMMAND = ['charger', 'authentication', 'set', 'A', '--password', 'correct-horse'];
const ask = () => askRunningProcess(directory, COMMAND);
const inside = () => join(directory, 'admin.sock');

async function expectDistrust(impostor: Impostor, sentence: string): Promise<void> {
  await expect(ask()).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: expect.stringContaining(sentence) as string,
  });
  expect(impostor.received()).toBe('');
}

/** A data directory whose path is too long for a socket. */
async function makeLong(): Promise<string> {
  const long = join(directory, 'x'.repeat(120));
  await mkdir(long, { mode: 0o700 });
  return long;
}

it('uses the socket of the same user in its own directory', async () => {
  await listen(inside());
  expect(await ask()).toMatchObject({ lines: ['done'] });
  await chmod(directory, 0o755);
  expect(prepareAdminSocket(`${directory}/`)).toBe(inside());
  expect(findAdminSocket(`${directory}/`)).toBe(inside());
});

asRoot("sends nothing to another user's socket", async () => {
  const impostor = await listen(inside());
  await chown(inside(), OTHER_USER, OTHER_USER);
  await expectDistrust(impostor, `belongs to user ${String(OTHER_USER)}`);
});

asRoot("sends nothing to a socket in another user's directory", async () => {
  const impostor = await listen(inside());
  await chown(directory, OTHER_USER, OTHER_USER);
  await expectDistrust(impostor, `${directory} belongs to user`);
});

it('sends nothing to a socket in a world-writable directory', async () => {
  const impostor = await listen(inside());
  await chmod(directory, 0o777);
  await expectDistrust(impostor, 'can be written by other users: set its mode to 0700.');
});

it('follows no link in the place of the socket', async () => {
  const impostor = await listen(join(runtime, 'theirs.sock'));
  await symlink(join(runtime, 'theirs.sock'), inside());
  await expectDistrust(impostor, 'is no socket');
});

it('uses no socket without a listening process, or without a directory', async () => {
  expect(await ask()).toBeUndefined();
  await writeFile(inside(), '');
  expect(await ask()).toBeUndefined();
  expect(await askRunningProcess(join(directory, 'missing'), COMMAND)).toBeUndefined();
  expect(await askRunningProcess(join(directory, 'x'.repeat(120)), COMMAND)).toBeUndefined();
});

describe('a data directory whose path is too long for a socket', () => {
  it('has its socket in XDG_RUNTIME_DIR, in an owner-only folder, where the client finds it', async () => {
    const long = await makeLong();
    const path = prepareAdminSocket(long, { XDG_RUNTIME_DIR: runtime });
    expect(path.startsWith(`${runtime}/busbar-`)).toBe(true);
    expect(Buffer.byteLength(path)).toBeLessThanOrEqual(100);
    await listen(path);
    expect(findAdminSocket(long, { XDG_RUNTIME_DIR: runtime })).toBe(path);
  });

  it('is found by a client whose environment has an XDG_RUNTIME_DIR that the service had not', async () => {
    const long = await makeLong();
    const path = prepareAdminSocket(long, {});
    elsewhere.push(dirname(path));
    expect(path.startsWith(`${tmpdir()}/busbar-`)).toBe(true);
    await listen(path);
    expect(findAdminSocket(long, { XDG_RUNTIME_DIR: runtime })).toBe(path);
  });

  it('does not use an XDG_RUNTIME_DIR that others may read', async () => {
    const long = await makeLong();
    await chmod(runtime, 0o755);
    const path = prepareAdminSocket(long, { XDG_RUNTIME_DIR: runtime });
    elsewhere.push(dirname(path));
    expect(path.startsWith(`${tmpdir()}/busbar-`)).toBe(true);
  });

  it('refuses a folder that is open to others, or a link, on either side', async () => {
    const long = await makeLong();
    const path = prepareAdminSocket(long, {});
    const folder = dirname(path);
    elsewhere.push(folder);
    await listen(path);
    await chmod(folder, 0o755);
    expect(() => findAdminSocket(long, {})).toThrow('is open to other users: set its mode to 0700.');
    expect(() => prepareAdminSocket(long, {})).toThrow('is open to other users');
    await rm(folder, { recursive: true });
    await symlink(runtime, folder);
    await listen(join(runtime, 'admin.sock'));
    expect(() => findAdminSocket(long, {})).toThrow('is no directory: remove it.');
    expect(() => prepareAdminSocket(long, {})).toThrow('is no directory: remove it.');
  });

  asRoot('refuses a folder of another user on either side', async () => {
    const long = await makeLong();
    const path = prepareAdminSocket(long, {});
    elsewhere.push(dirname(path));
    await listen(path);
    await chown(dirname(path), OTHER_USER, OTHER_USER);
    expect(() => findAdminSocket(long, {})).toThrow(`belongs to user ${String(OTHER_USER)}`);
    expect(() => prepareAdminSocket(long, {})).toThrow(`belongs to user ${String(OTHER_USER)}`);
  });
});
