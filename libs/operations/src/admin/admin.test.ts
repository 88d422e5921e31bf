import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { matchesSecret } from '@busbar/domain';
import { createCharger, DEFAULT_COMPATIBILITY } from '@busbar/domain/chargers';
import { ALL_PERMISSIONS, authenticate } from '@busbar/domain/clients';
import { createSite } from '@busbar/domain/sites';
import { createDeadLetterStore } from '@busbar/store';
import { createRecordingLogger, eventually } from '@busbar/testing';
import { createStorePlatform, type StorePlatform } from '@busbar/runtime';
import { askRunningProcess } from './admin-client';
import { createAdminServer } from './admin-server';
import type { AdminContext } from './command';
import { adminUsage } from './commands';

const logger = createRecordingLogger();
let directory: string;
let platform: StorePlatform;
let stop: (() => Promise<void>)[];
beforeEach(async () => {
  stop = [];
  directory = await mkdtemp(join(tmpdir(), 'admin-'));
  platform = createStorePlatform(`file:${directory}`, { logger, clock: systemClock });
  await platform.start();
});
afterEach(async () => {
  for (const each of stop) await each();
  await platform.stop();
  await rm(directory, { recursive: true });
});

async function serve(over: Partial<AdminContext> = {}): Promise<void> {
  const context: AdminContext = { records: platform.records, clock: systemClock, ...over };
  const server = createAdminServer({ directory, logger, context });
  await server.start();
  stop.push(() => server.stop());
}

const socketPath = () => join(directory, 'admin.sock');
const ask = (line: string) => askRunningProcess(directory, line.split(' '));

async function askFor<T>(line: string): Promise<T> {
  return (await ask(line))?.data as T;
}

async function ownerOf(key: string): Promise<string | undefined> {
  return (await authenticate({ apiKeys: platform.records.apiKeys, clock: systemClock }, key))?.clientId;
}

it('opens the store where no process listens', async () => {
  expect(await ask('client list')).toBeUndefined();
  expect(await askRunningProcess(join(directory, 'missing'), ['client', 'list'])).toBeUndefined();
});

it('ignores a socket that a killed process left, and replaces it at the next start', async () => {
  await writeFile(socketPath(), '');
  expect(await ask('client list')).toBeUndefined();
  await serve();
  expect(await ask('client list')).toEqual({ lines: ['none'], data: [] });
});

it('makes the socket accessible to its owner alone', async () => {
  await serve();
  expect((await stat(socketPath())).mode & 0o777).toBe(0o600);
});

it('61. sets a client to accept unknown tags, or not, and renames it', async () => {
  await serve();
  const { clientId } = await askFor<{ clientId: string }>('client create Acme');
  expect(await askFor('client list')).toMatchObject([{ clientId, acceptUnknownTags: false }]);
  expect((await ask(`client set ${clientId} --accept-unknown-tags on`))?.lines.join()).toContain('are accepted');
  expect(await platform.records.clients.find(clientId)).toMatchObject({ name: 'Acme', openCharging: true });
  await ask(`client set ${clientId} --name Better`);
  expect(await askFor('client list')).toMatchObject([{ clientId, name: 'Better', acceptUnknownTags: true }]);
  await ask(`client set ${clientId} --accept-unknown-tags=off`);
  expect(await askFor('client list')).toMatchObject([{ acceptUnknownTags: false }]);
  await expect(ask(`client set ${clientId} --accept-unknown-tags perhaps`)).rejects.toThrow('on or off');
  await expect(ask(`client set ${clientId}`)).rejects.toThrow('Nothing to change');
  await expect(ask('client set nobody --name X')).rejects.toThrow('There is no client nobody.');
});

it('creates, lists and revokes clients and keys, and shows a key once', async () => {
  await serve();
  const made = await ask('client create Acme');
  const { clientId, key } = made?.data as { clientId: string; key: string };
  expect(made?.lines.join('\n')).toContain(key);
  expect(await ownerOf(key)).toBe(clientId);

  const second = await askFor<{ keyId: string; key: string }>('key create --name script --permissions sites:read');
  expect(await ownerOf(second.key)).toBe(clientId);
  const list = await ask('key list');
  expect(list?.data).toMatchObject([{ name: 'first key' }, { name: 'script', permissions: ['sites:read'] }]);
  expect(JSON.stringify(list)).not.toContain(second.key);

  await ask('key create --name seer --permissions sites:read --operator');
  await ask('key create --name all');
  const all = (await ask('key list'))?.data as readonly { readonly name: string }[];
  // The order of keys of one millisecond is not theirs.
  expect(all.toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject([
    { name: 'all', permissions: ALL_PERMISSIONS },
    { name: 'first key' },
    { name: 'script' },
    { name: 'seer', permissions: ['sites:read', 'operator'] },
  ]);
  expect(ALL_PERMISSIONS).not.toContain('operator');

  await ask(`key revoke ${second.keyId}`);
  expect(await ownerOf(second.key)).toBeUndefined();
  await expect(ask(`key revoke ${second.keyId}`)).rejects.toThrow('has no key');
});

it('requires --client where there are several clients', async () => {
  await serve();
  const { clientId } = await askFor<{ clientId: string }>('client create Acme');
  await ask('client create Other');
  await expect(ask('key create')).rejects.toThrow('name one with --client ID');
  expect(await askFor(`key create --client=${clientId}`)).toMatchObject({ clientId });
  await expect(ask('key create --client nobody')).rejects.toThrow('There is no client nobody.');
});

it('shows the tolerated deviations of a charger, and sets them one by one', async () => {
  await serve();
  const clientId = (await askFor<{ clientId: string }>('client create Acme')).clientId;
  const deps = { ...platform.records, clock: systemClock };
  await createSite(deps, clientId, { name: 'Here' });
  await createCharger(deps, clientId, { chargerId: 'ACME_1', name: 'First' });
  expect((await ask('charger compatibility ACME_1'))?.lines).toEqual([
    'assume-ocpp16  off',
    'accept-hex-key  on',
    'zoneless-is-utc  on',
    'vendor-fields  on',
    'null-fields  on',
    'overlong-texts  on',
    'number-texts  on',
    'fractional-meters  on',
    'no-call-result-error  off',
  ]);
  const changed = await ask('charger compatibility ACME_1 --assume-ocpp16=on --vendor-fields off --null-fields off');
  const compatibility = {
    ...DEFAULT_COMPATIBILITY,
    assumeOcpp16: true,
    vendorFields: false,
    nullFields: false,
  };
  expect(changed?.data).toEqual({ chargerId: 'ACME_1', compatibility });
  expect((await platform.records.chargers.find('ACME_1'))?.registered.compatibility).toEqual(compatibility);
  await expect(ask('charger compatibility ACME_1 --vendor-fields maybe')).rejects.toThrow(
    '--vendor-fields is on or off.',
  );
  await expect(ask('charger compatibility NOBODY --vendor-fields on')).rejects.toThrow('There is no charger NOBODY.');
});

it('lists the certificates signed for a charger id, also those of a deleted registration', async () => {
  await serve();
  const { clientId } = await askFor<{ clientId: string }>('client create Acme');
  const deps = { ...platform.records, clock: systemClock };
  await createSite(deps, clientId, { name: 'Here' });
  const { incarnationId } = await createCharger(deps, clientId, { chargerId: 'ACME_1', name: 'First' });
  const common = { chargerId: 'ACME_1', notAfter: '2099-01-01T00:00:00.000Z' };
  const [old, fresh] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
  const { certificates } = platform.records;
  await certificates.insert({ ...common, serialNumber: '4a', incarnationId: 'deleted', issuedAt: old });
  await certificates.insert({ ...common, serialNumber: '4b', incarnationId, issuedAt: fresh });
  expect((await ask('charger certificates ACME_1'))?.lines).toEqual([
    expect.stringMatching(/^SERIAL NUMBER {2}ISSUED +VALID UNTIL +REGISTRATION$/),
    `4b             ${fresh}  ${common.notAfter}  this one`,
    `4a             ${old}  ${common.notAfter}  an earlier one`,
  ]);
});

it('shows a charger with its security profile, and never with the secret', async () => {
  await serve();
  const { clientId } = await askFor<{ clientId: string }>('client create Acme');
  const deps = { ...platform.records, clock: systemClock };
  await createSite(deps, clientId, { name: 'Here' });
  await createCharger(deps, clientId, { chargerId: 'ACME_1', name: 'First' });

  expect((await ask('charger list'))?.lines).toEqual([
    'ID      STATE    CONNECTED  LAST SEEN  NAME',
    'ACME_1  Offline  no         never      First',
  ]);
  await ask('charger authentication set ACME_1 --password correct-horse');
  const shown = await ask('charger show ACME_1');
  expect(shown?.data).toMatchObject({ chargerId: 'ACME_1', securityProfile: 1, hasPassword: true });
  expect(JSON.stringify(shown)).not.toContain('scrypt');
  const stored = await platform.records.chargers.find('ACME_1');
  const hash = stored?.registered.authentication.passwordHash ?? '';
  expect(await matchesSecret(Buffer.from('correct-horse'), hash)).toBe(true);

  await writeFile(join(directory, 'password'), 'from-a-file\n');
  await ask(`charger authentication set ACME_1 --password-file ${join(directory, 'password')} --profile 2`);
  const again = (await platform.records.chargers.find('ACME_1'))?.registered.authentication;
  expect(await matchesSecret(Buffer.from('from-a-file'), again?.passwordHash ?? '')).toBe(true);
  expect(again?.securityProfile).toBe(2);

  await expect(ask('charger authentication set ACME_1 --password-file /missing/file')).rejects.toThrow(
    '/missing/file cannot be read (ENOENT): correct --password-file.',
  );
  const both = 'charger authentication set ACME_1 --password a --password-file /missing/file';
  await expect(ask(both)).rejects.toThrow('Give either --password-file or --password.');

  await ask('charger authentication set ACME_1 --profile 3');
  expect(await askFor('charger show ACME_1')).toMatchObject({ hasPassword: false, securityProfile: 3 });
  await expect(ask('charger authentication set ACME_1 --profile 2')).rejects.toThrow('security profile 2 needs one');

  await ask('charger authentication remove ACME_1');
  expect(await askFor('charger show ACME_1')).toMatchObject({ hasPassword: false, securityProfile: 0 });
  await expect(ask('charger show NOBODY')).rejects.toThrow('There is no charger NOBODY.');
});

it('makes a backup of a running store that opens as a store', async () => {
  await serve({
    backup: (file, options) => platform.backup?.(file, options) ?? Promise.reject(new Error('no backup')),
  });
  await ask('client create Acme');
  const copy = join(directory, 'copy');
  await mkdir(copy);
  await ask(`backup ${join(copy, 'busbar.db')}`);
  await expect(ask(`backup ${join(copy, 'busbar.db')}`)).rejects.toThrow('busbar.db exists: choose another name');
  await ask(`backup --force ${join(copy, 'busbar.db')}`);
  const other = createStorePlatform(`file:${copy}`, { logger, clock: systemClock });
  await other.start();
  stop.push(() => other.stop());
  expect(await other.records.clients.list()).toMatchObject([{ name: 'Acme' }]);
});

it('says after a restore that the backup has no key of stored secrets', async () => {
  const report = { isVerified: true };
  await serve({ restore: () => Promise.resolve(report) });
  const restored = await ask('restore backup.db');
  expect(restored?.lines.join()).toContain('does not contain the key of stored secrets');
});

it('raises the counters above those assigned since the backup, after a restore with other tools', async () => {
  await serve({ raiseCounters: platform.raiseCounters });
  const { clientId } = await askFor<{ clientId: string }>('client create Acme');
  const deps = { ...platform.records, clock: systemClock };
  await createSite(deps, clientId, { name: 'Here' });
  await createCharger(deps, clientId, { chargerId: 'ACME_1', name: 'First' });
  await expect(ask('counters raise')).rejects.toThrow('which cannot be undone. Add --yes to confirm.');
  expect(await platform.records.chargers.lastOrder('ACME_1')).toBe(0);
  const raised = await ask('counters raise --yes');
  expect(raised?.data).toEqual({ chargers: 1, raisedBy: 1_000_000 });
  expect(raised?.lines.join()).toContain('continue 1000000 above those of the backup');
  expect(await platform.records.chargers.lastOrder('ACME_1')).toBe(1_000_000);
});

it.each([
  ['', 'Unknown command'],
  ['client', 'client is incomplete. There are: client create, client list, client set.'],
  ['charger lst', 'Unknown command: charger lst. Did you mean "charger list"?'],
  ['chargre show ACME_1', 'Did you mean "charger show"?'],
  ['something else', 'Unknown command: something else. "help" lists the commands.'],
  ['charger delete NOBODY', 'This deletes charger NOBODY'],
  ['charger log NOBODY', 'There is no charger NOBODY.'],
  ['site create Yard --parent x', 'There is no client yet'],
  ['client create', 'Usage: client create NAME'],
  ['client create a b', 'Usage: client create NAME'],
  ['client list --all yes', 'Unknown option --all. Usage: client list'],
  ['client list -x', 'Unknown option -x. Usage: client list'],
  ['key create --name', '--name needs a value.'],
  ['charger compatibility -- --vendor-fields', 'There is no charger --vendor-fields.'],
  ['key create --__proto__ x', 'Unknown option --__proto__.'],
  ['backup --force=1 /tmp/x', '--force takes no value. Usage: backup FILE [--force]'],
  ['partitions set 8', 'Stop the running process first.'],
  ['backup /tmp/x', 'A document server has its own tools'],
  ['address', 'Only a running one-process mode has an address'],
])('refuses %j in a sentence', async (line, message) => {
  await serve();
  await expect(ask(line)).rejects.toMatchObject({
    message: expect.stringContaining(message) as string,
  });
});

it.each(['no JSON\n', '{"line":"client list"}\n', '{"line":[1]}\n', 'null\n'])(
  'explains the form of a request in its answer to %j',
  async (text) => {
    await serve();
    expect(await raw(text)).toContain('"ok":false,"code":"invalid_request"');
  },
);

it('cuts off a request that is too long', async () => {
  await serve();
  expect(await raw(`${'x'.repeat(200_000)}\n`)).toBe('');
});

it('logs an unknown failure, and replies with its id alone', async () => {
  await serve({ backup: () => Promise.reject(new TypeError('a defect in /secret/place')) });
  const failure = ask('backup /tmp/x');
  await expect(failure).rejects.toThrow(/^The command failed: see the log for the error [0-9A-Z]{26}\.$/);
  expect(logger.lines.some((line) => line.level === 'error')).toBe(true);
});

it('ends open connections at a stop', async () => {
  await serve();
  const socket = connect(socketPath());
  let closed = false;
  socket.on('close', () => (closed = true));
  await new Promise((resolve) => socket.on('connect', resolve));
  await stop.pop()?.();
  await eventually(() => closed);
});

it('creates, lists and deletes sites and chargers', async () => {
  await serve();
  await ask('client create Acme');
  expect((await ask('site create Yard --city Graz'))?.lines).toEqual(['created site 1']);
  expect((await ask('site list'))?.lines).toEqual(['ID  NAME  CITY  PARENT  EXTERNAL ID', '1   Yard  Graz']);
  expect((await ask('charger create ACME_1 --site 1'))?.lines).toEqual(['registered ACME_1 at site 1']);
  await expect(ask('charger create a/b')).rejects.toThrow('chargerId');
  await expect(ask('charger create ACME_2 --site Yard')).rejects.toThrow('--site is the number of a site');
  expect((await ask('charger delete ACME_1 --yes'))?.lines[0]).toBe('deleted ACME_1');
  expect(await platform.records.chargers.find('ACME_1')).toBeUndefined();
});

it('explains one command in its help, or those that begin alike', () => {
  expect(adminUsage(['charger', 'show', 'ACME_1']).split('\n').slice(2)).toEqual([
    '  charger show CHARGER_ID',
    '      show a charger of any client',
  ]);
  expect(adminUsage(['site'])).toMatch(/site list.*site create/s);
  expect(() => adminUsage(['sitte'])).toThrow('Unknown command: sitte.');
});

it('names every command in the usage', () => {
  expect(adminUsage()).toMatchInlineSnapshot(`
   "Usage: npm run admin -- [--json] COMMAND

     client create NAME
         create a client and its first API key, which is shown only now
     client list
         list all clients, oldest first
     client set CLIENT_ID [--name TEXT] [--accept-unknown-tags on|off]
         rename a client, or accept RFID tags that it does not know (default off)
     key create [--client ID] [--name NAME] [--permissions A,B,…] [--expires TIMESTAMP] [--operator]
         create an API key, which is shown only now; without --permissions it has all permissions. With --operator it also sees dead letters and processes of the whole deployment, over all clients
     key list [--client ID]
         list the keys of a client that are not revoked
     key revoke KEY_ID [--client ID]
         revoke a key, which is refused within a second
     site list [--client ID]
         list the sites of a client by their id, at most 1000
     site create NAME [--client ID] [--parent SITE_ID] [--city TEXT] [--external-id TEXT]
         create a site, the place of chargers
     charger list [--client ID]
         list the chargers of a client, at most 1000
     charger show CHARGER_ID
         show a charger of any client
     charger create CHARGER_ID [--client ID] [--site SITE_ID] [--name TEXT]
         register a charger, by default at the client's oldest site and with its id as name
     charger delete CHARGER_ID [--yes]
         delete a charger of any client and close its connection; its id is then free for any client
     charger certificates CHARGER_ID
         list the serial numbers of unexpired certificates that were signed for a charger id, earlier registrations included
     charger authentication set CHARGER_ID [--password-file FILE] [--authorization-key-file FILE] [--password TEXT] [--authorization-key HEX] [--profile 0|1|2|3]
         set the credentials of a charger: a password, or a key of 32 to 40 hexadecimal digits; profile 3: a certificate. FILE - is standard input
     charger authentication remove CHARGER_ID
         remove the password of a charger, which may then connect without one
     charger log CHARGER_ID [--limit NUMBER] [--after CURSOR] [--follow] [--full]
         show the newest messages of a charger, 50 by default, the oldest of them first. --follow shows new ones until Ctrl-C; --full shows whole payloads; --after continues behind a cursor of --json
     charger connections CHARGER_ID [--limit NUMBER]
         show when the connections of a charger began and ended, and why: the newest first, 50 by default
     charger compatibility CHARGER_ID [--assume-ocpp16 on|off] [--accept-hex-key on|off] [--zoneless-is-utc on|off] [--vendor-fields on|off] [--null-fields on|off] [--overlong-texts on|off] [--number-texts on|off] [--fractional-meters on|off] [--no-call-result-error on|off]
         set which deviations of a charger are tolerated from its next connection on; without options: show them
     session end TRANSACTION_ID [--reason TEXT]
         end a session of any client whose stop is missing, and free its tag; the charger is not notified
     connections rejected [--charger ID]
         list rejected connection attempts of the last 24 hours, also of ids that are not registered: at most 200, the newest first
     dead-letters list [--order oldest|newest] [--after ID]
         list messages of chargers that could not be applied, with reason and total: 1000 at a time, by default the oldest first, or those behind the one named
     dead-letters replay ID
         publish one to its queue again; it becomes a dead letter again if it still cannot be applied. Its rows are stored; a record that later messages changed stays as it is
     dead-letters drop ID
         delete one permanently
     backup FILE [--force]
         back up the one-process mode, also while it runs, with a checksum in FILE.sha256; --force replaces an existing FILE
     restore FILE
         restore a backup; chargers are disconnected for a moment
     counters raise [--yes]
         raise the counters after a restore with other tools, before any process starts
     partitions set NUMBER
         change PARTITIONS; empty the queues and stop every process first
     address
         show the addresses of the running one-process mode
     smoke [--ready NAME=URL,…] [--v2 URL] [--ocpp URL] [--ca FILE] [--host NAME] [--key-file FILE]
         test the service from outside: readiness, certificate, v2 API, a charger that connects; by default the running one-process mode. --ready names internal addresses, --host what the certificate must name; the key is that of --key-file or BOOTSTRAP_API_KEY
     backup-every HOURS DIRECTORY [--keep NUMBER]
         back up the running one-process mode now and every HOURS until SIGTERM, and keep the newest backups, 7 by default; nothing else in DIRECTORY is deleted
     help [COMMAND]
         show this, or one command

   --json prints the same for programs. --version shows the version. STORE_URL=mongodb://… works on a deployment.
   Exit codes: 0 done, 1 failed, 2 a wrong command line."
  `);
});

function raw(text: string): Promise<string> {
  return new Promise((resolve) => {
    let reply = '';
    const socket = connect(socketPath(), () => socket.write(text));
    socket.on('data', (chunk) => (reply += String(chunk)));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(reply));
  });
}

it('lists, replays and drops dead letters, and keeps one that was not published', async () => {
  const deadLetters = createDeadLetterStore(platform.store);
  const letter = (deadLetterId: string) => ({
    deadLetterId,
    chargerId: 'A',
    action: 'MeterValues',
    reason: 'no such field',
    at: '2026-01-01T00:00:00.000Z',
    report: '{}',
  });
  for (const id of ['one', 'two', 'three']) await deadLetters.insert(letter(id));
  const replayed: string[] = [];
  await serve({
    deadLetters,
    replay({ deadLetterId }) {
      if (deadLetterId === 'two') return Promise.reject(new Error('the broker is unavailable'));
      replayed.push(deadLetterId);
      return Promise.resolve();
    },
  });
  const listed = (await ask('dead-letters list'))?.lines;
  expect(listed).toHaveLength(5);
  expect(listed?.at(-1)).toBe('3 of 3 dead letters, the oldest first');
  await ask('dead-letters replay one');
  expect(replayed).toEqual(['one']);
  await expect(ask('dead-letters replay two')).rejects.toThrow();
  await ask('dead-letters drop three');
  await expect(ask('dead-letters drop three')).rejects.toThrow('There is no dead letter three');
  expect(await askFor<unknown[]>('dead-letters list')).toMatchObject([{ deadLetterId: 'two' }]);
});

it("takes a command without --client for the process's own client, also with several clients", async () => {
  await serve({ ownClientId: () => 'own' });
  await platform.records.clients.insert({ clientId: 'own', name: 'o', openCharging: false, createdAt: '2026' });
  await ask('client create Acme');
  expect(await askFor('key create')).toMatchObject({ clientId: 'own' });
});

it('lists rejected connection attempts, also of ids that are not registered', async () => {
  const common = { remoteAddress: '198.51.100.7', protocols: ['ocpp1.6'], requestId: 'r-1' };
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000).toISOString();
  const rows = [
    { attemptId: '1', chargerId: 'ACME_1', clientId: 'c', reason: 'unauthorized', at: at(20), count: 1, ...common },
    { attemptId: '2', chargerId: 'NEW_1', clientId: null, reason: 'unknown_charger', at: at(10), count: 6, ...common },
  ];
  await platform.records.connectionAttempts.insert(rows, { perCharger: 10, unknown: 10 });
  await serve();
  const all = await ask('connections rejected');
  expect(all?.lines).toEqual([
    expect.stringMatching(/^TIME +CHARGER +CLIENT +REASON +ATTEMPTS +ADDRESS +OFFERED +REQUEST$/),
    expect.stringMatching(/ NEW_1 .*not registered.* unknown_charger +6 +198\.51\.100\.7 +ocpp1\.6 +r-1$/),
    expect.stringMatching(/ ACME_1 +c +unauthorized /),
    '2 of 2, the newest first',
    '',
    expect.stringMatching(/^unknown_charger: no charger with this id is registered: register it/),
    expect.stringMatching(/^unauthorized: wrong or missing password/),
  ]);
  expect(all?.data).toMatchObject([{ chargerId: 'NEW_1', clientId: null, count: 6 }, { chargerId: 'ACME_1' }]);
  expect(await askFor('connections rejected --charger ACME_1')).toMatchObject([{ chargerId: 'ACME_1' }]);
});
