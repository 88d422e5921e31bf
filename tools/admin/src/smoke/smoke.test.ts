import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { selfSignedPair } from '@busbar/operations';
import type { CertificatePair } from '@busbar/runtime';
import { createFakeClock } from '@busbar/testing';
import { startFakeService, type FakeService, type Faults } from '../testing/fake-service';
import { smoke, type PassedStep } from './smoke';
import { targetOf, type Target } from './target';

const KEY = 'smoke-key-0123456789';
let directory: string;
let pair: CertificatePair;
let service: FakeService | undefined;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'busbar-smoke-'));
  pair = await selfSignedPair(directory, systemClock);
});
afterAll(() => rmSync(directory, { recursive: true }));
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

interface Outcome {
  readonly passed: readonly string[];
  readonly failure: string | undefined;
}

async function run(target: Target): Promise<Outcome> {
  const { signal } = new AbortController();
  const passed: PassedStep[] = [];
  const report = (step: PassedStep): void => void passed.push(step);
  const failure = await smoke({ target, key: KEY, signal, report, appliedWithinMs: 100 }).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
  return { passed: passed.map(({ step }) => step), failure };
}

const start = async (faults: Faults = {}): Promise<FakeService> => (service = await startFakeService(pair, faults));

const steps = ({ v2 }: Target) => [
  '/readyz of gateway',
  `certificate of ${v2.host}`,
  '/v2/openapi.json',
  'unknown charger',
  'create a charger',
  'connect',
  'boot',
  'read activeConnection: true',
  'close',
  'read activeConnection: false',
  'delete the charger',
];

it('passes every step of a service that works, and leaves nothing', async () => {
  const { target, stored, keys } = await start();
  expect(await run(target)).toEqual({ passed: steps(target), failure: undefined });
  expect([...stored]).toEqual([]);
  expect(keys).toContain(KEY);
});

it('creates a site for a client without one, and deletes it', async () => {
  const { target, stored } = await start({ hasNoSite: true });
  expect(await run(target)).toEqual({ passed: steps(target), failure: undefined });
  expect([...stored]).toEqual([]);
});

it('leaves out the steps that need a key without one', async () => {
  const { target, keys } = await start();
  const passed: string[] = [];
  const { signal } = new AbortController();
  await smoke({ target, key: undefined, signal, report: ({ step }) => passed.push(step) });
  expect(passed).toEqual(steps(target).slice(0, 4));
  expect([...keys]).toEqual([undefined]);
});

it.each<readonly [number, Faults, string]>([
  [0, { ready: 503 }, 'it responded 503; store: The store is unavailable'],
  [2, { document: 500 }, 'it got 500'],
  [3, { unknown: 101 }, 'its upgrade got 101 and not 404'],
  [3, { unknown: 503 }, 'its upgrade got 503 and not 404'],
  [4, { create: 401 }, 'it got 401: The API key is wrong'],
  [5, { upgrade: 503 }, 'the upgrade was rejected with 503'],
  [6, { bootStatus: 'Rejected' }, 'BootNotification was answered with Rejected'],
  [7, { active: false }, 'it is still false after 0.1 s'],
  [9, { active: true }, 'it is still true after 0.1 s'],
])('fails with step %i alone: %j', async (step, faults, reason) => {
  const { target, stored } = await start(faults);
  const all = steps(target);
  const failure = `The step "${all[step] ?? ''}" failed: ${reason}.`;
  expect(await run(target)).toEqual({ passed: all.slice(0, step), failure });
  expect([...stored]).toEqual([]);
});

it('says what it could not delete', async () => {
  const { target } = await start({ delete: 503 });
  expect((await run(target)).failure).toBe(
    'The step "delete the charger" failed: it got 503. Its records could not be deleted: it got 503.',
  );
});

describe('the certificate', () => {
  it.each<readonly [string, (target: Target) => Target, RegExp]>([
    [
      'names another host',
      (target) => ({ ...target, host: 'chargers.example.com' }),
      /altnames: Host: chargers.example.com/,
    ],
    ['is not trusted', (target) => ({ ...target, ca: undefined }), /nobody vouches for the certificate: .* --ca FILE/],
  ])('fails its step where it %s', async (_what, change, reason) => {
    const { target } = await start();
    const { passed, failure } = await run(change(target));
    expect(passed).toEqual(['/readyz of gateway']);
    expect(failure).toMatch(/^The step "certificate of 127\.0\.0\.1:\d+" failed: /);
    expect(failure).toMatch(reason);
  });

  it('fails its step where it has ended', async () => {
    const old = await selfSignedPair(mkdtempSync(join(directory, 'old-')), createFakeClock(new Date('2000-01-01')));
    service = await startFakeService(old);
    expect((await run(service.target)).failure).toMatch(
      /^The step "certificate of .*" failed: certificate has expired\.$/,
    );
  });

  it('may name the host of --host, which requests are for', async () => {
    const { target } = await start();
    expect((await run({ ...target, host: 'localhost' })).failure).toBeUndefined();
  });
});

it('names the service that does not answer', async () => {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const { target } = await start();
  const url = `http://127.0.0.1:${String(port)}`;
  const { failure } = await run({ ...target, internals: [...target.internals, { name: 'charger-state', url }] });
  expect(failure).toBe(`The step "/readyz of charger-state" failed: connect ECONNREFUSED 127.0.0.1:${String(port)}.`);
});

it('deletes what it created when it is interrupted', async () => {
  const { target, stored } = await start({ active: false });
  const abort = new AbortController();
  const running = smoke({
    target,
    key: KEY,
    signal: abort.signal,
    report: ({ step }) => step === 'boot' && abort.abort(),
  });
  await expect(running).rejects.toThrow('The step "read activeConnection: true" failed: it was interrupted.');
  expect([...stored]).toEqual([]);
});

describe('the target', () => {
  const nobody = () => Promise.resolve(undefined);
  const optionsOf = (options: Record<string, string>) => ({ positionals: [], options, flags: new Set<string>() });

  it('is named by options', async () => {
    const { target } = await start();
    const ready = 'gateway=http://gateway:9090/, v2-api=http://v2:9090';
    const options = {
      ready,
      v2: 'https://busbar.example',
      ocpp: 'wss://busbar.example/ocpp',
      ca: pair.certFile,
      host: 'a',
    };
    expect(await targetOf(optionsOf(options), nobody)).toEqual({
      internals: [
        { name: 'gateway', url: 'http://gateway:9090' },
        { name: 'v2-api', url: 'http://v2:9090' },
      ],
      v2: new URL('https://busbar.example'),
      ocpp: new URL('wss://busbar.example/ocpp'),
      ca: target.ca?.trim(),
      host: 'a',
    });
  });

  it('is the running one-process mode without options', async () => {
    const data = {
      http: 'https://127.0.0.1:8443',
      ocpp: 'wss://127.0.0.1:8443/ocpp/',
      internal: 'http://127.0.0.1:9090',
      certificate: pair.certFile,
    };
    expect(await targetOf(optionsOf({}), () => Promise.resolve({ data }))).toMatchObject({
      internals: [{ name: 'busbar', url: 'http://127.0.0.1:9090' }],
      v2: new URL('https://127.0.0.1:8443'),
    });
    await expect(targetOf(optionsOf({}), nobody)).rejects.toThrow(/^No one-process mode runs here: .*--ready/);
  });

  it.each([
    [{ v2: 'https://a' }, 'Give --ready, --v2 and --ocpp together'],
    [{ ready: 'a', v2: 'https://a', ocpp: 'wss://a' }, '--ready is a list such as'],
    [{ ready: 'a=http://a', v2: 'wss://a', ocpp: 'wss://a' }, '--v2 is an address that begins with https://'],
    [{ ready: 'a=http://a', v2: 'https://a', ocpp: 'https://a' }, '--ocpp is an address that begins with wss://'],
    [{ ca: '/nowhere/ca.pem' }, '--ca /nowhere/ca.pem cannot be read'],
  ])('is refused for %j', async (options, sentence) => {
    await expect(targetOf(optionsOf(options), nobody)).rejects.toThrow(sentence);
  });
});
