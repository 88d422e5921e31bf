// Rule 10 across its parts: the record, the result of the command, the next connection.
import { channels, type AdmissionRequest, type CallOutcome } from '@busbar/contracts';
import { createId, systemClock as clock } from '@busbar/core';
import { callWithNewKey, incarnationName, setChargerAuthentication, type Charger } from '@busbar/domain/chargers';
import { type LinkOutcome } from '@busbar/domain/commands';
import { eventually } from '@busbar/testing';
import { createPasswordChecks } from './password-checks';
import { eachWithCharger } from '../testing/one-charger';
import type { ChargerStateWorld, FakeConnection } from '../testing/open-world';

const OLD = '00'.repeat(20);
const NEW = '11'.repeat(20);
const ACCEPTED: CallOutcome = { outcome: 'answered', payload: { status: 'Accepted' } };

describe('a charger with a new key', () => {
  let world: ChargerStateWorld;
  let charger: Charger;
  let connection: FakeConnection;

  eachWithCharger((its) => ({ world, charger, connection } = its));
  beforeEach(async () => {
    await setPassword(OLD);
  });

  async function setPassword(authorizationKey: string): Promise<void> {
    const { chargers } = world.platform.records;
    const connections = { close: () => Promise.resolve() };
    await setChargerAuthentication({ chargers, connections, clock }, charger, { authorizationKey });
  }

  async function admission(key: string | undefined, over: Partial<AdmissionRequest> = {}): Promise<string> {
    const asked = await world.platform.broker.request(
      channels.admissions,
      '',
      {
        chargerId: charger.chargerId,
        gatewayId: world.gatewayId,
        connectionId: createId(),
        secure: true,
        ocppVersion: 'ocpp1.6',
        ...(key !== undefined && { passwordBase64: Buffer.from(key, 'hex').toString('base64') }),
        ...over,
      },
      5_000,
    );
    return asked.outcome === 'answered' ? asked.answer.outcome : asked.outcome;
  }

  /** Sends a key to the charger; `end` completes the CALL. */
  function change(newKey: string, end: (commandId: string) => Promise<LinkOutcome>): Promise<LinkOutcome> {
    const call = {
      commandId: createId(),
      newKey: { value: newKey, path: '/configValue', maxCharacters: undefined },
      timeoutMs: 1_000,
      waitMs: 1_000,
    };
    const { chargers, deviceModels } = world.platform.records;
    const deps = { chargers, deviceModels, clock };
    return callWithNewKey(deps, charger, call, () => end(call.commandId));
  }

  /** Publishes the outcome as the gateway does. */
  async function reportEnd(commandId: string, answer: CallOutcome): Promise<CallOutcome> {
    const request = JSON.stringify([2, 'm', 'ChangeConfiguration', { key: 'AuthorizationKey', value: '***' }]);
    const part = { commandId, action: 'ChangeConfiguration', messageId: 'm', payload: answer, request };
    await connection.send('outcome', part);
    return answer;
  }

  it.each([
    ['Accepted', ACCEPTED, ['accept', 'unauthorized'], null],
    ['Rejected', { outcome: 'answered', payload: { status: 'Rejected' } }, ['unauthorized', 'accept'], null],
    ['an error', { outcome: 'error', code: 'NotSupported', description: '' }, ['unauthorized', 'accept'], null],
    ['no answer, then the old key', { outcome: 'timeout' }, ['unauthorized', 'accept'], OLD],
    ['no answer, then the new key', { outcome: 'timeout' }, ['accept', 'unauthorized'], NEW],
    ['a lost connection', { outcome: 'disconnected' }, ['accept', 'unauthorized'], NEW],
    [
      'a reboot that is required first',
      { outcome: 'answered', payload: { status: 'RebootRequired' } },
      ['accept', 'unauthorized'],
      NEW,
    ],
  ] as const)('10. authenticates with the right key after %s', async (_end, answer, [fresh, old], usedFirst) => {
    await change(NEW, (commandId) => reportEnd(commandId, answer));
    if (usedFirst !== null) expect(await admission(usedFirst)).toBe('accept');
    expect([await admission(NEW), await admission(OLD)]).toEqual([fresh, old]);
  });

  async function setNetworkProfile(securityProfile: number, status: string): Promise<void> {
    const transport = { ocppTransport: 'JSON', ocppVersion: 'OCPP20', ocppInterface: 'Wired0' };
    const where = { ocppCsmsUrl: 'wss://csms.example/ocpp', messageTimeout: 30 };
    const request = { configurationSlot: 1, connectionData: { ...transport, ...where, securityProfile } };
    await connection.outcome('SetNetworkProfile', request, { status }, { ocppVersion: 'ocpp2.0.1' });
    await connection.report('Heartbeat', {});
  }

  // The source is TC_A_19 of OCPP 2.0.1 Part 6, not a requirement of Part 2.
  it.each([
    ['raises the registered profile after an accepted network profile', 'Accepted', ['accept', 'accept', 'insecure']],
    ['raises nothing after a network profile that was not accepted', 'Failed', ['accept', 'accept', 'accept']],
  ])('108. %s, once it has connected by it', async (_title, status, [before, secure, after]) => {
    const plain = { ocppVersion: 'ocpp2.0.1', secure: false };
    await setNetworkProfile(2, status);
    expect(await admission(OLD, plain)).toBe(before);
    expect(await admission(OLD, { ...plain, secure: true })).toBe(secure);
    expect(await admission(OLD, plain)).toBe(after);
  });

  it('108. raises the registered profile to each accepted one that it connects by', async () => {
    await setNetworkProfile(3, 'Accepted');
    await setNetworkProfile(2, 'Accepted');
    const plain = { ocppVersion: 'ocpp2.0.1', secure: false };
    expect(await admission(OLD, { ...plain, secure: true })).toBe('accept');
    expect(await admission(OLD, plain)).toBe('insecure');
    const names = [charger.chargerId, incarnationName(charger.incarnationId)];
    expect(await admission(undefined, { ...plain, secure: true, certificateNames: names })).toBe('accept');
    expect(await admission(OLD, { ...plain, secure: true })).toBe('certificate_required');
  });

  it('108. needs no password once it has connected by the certificate of an accepted network profile', async () => {
    const { chargerId, incarnationId } = charger;
    const plain = { ocppVersion: 'ocpp2.0.1' };
    const certificateNames = [chargerId, incarnationName(incarnationId)];
    const certified = { ...plain, certificateNames };
    expect(await admission(undefined, certified)).toBe('unauthorized');
    await setNetworkProfile(3, 'Accepted');
    expect(await admission(undefined, plain)).toBe('unauthorized');
    expect(await admission(undefined, certified)).toBe('accept');
    expect(await admission(undefined, certified)).toBe('accept');
    expect(await admission(OLD, plain)).toBe('certificate_required');
  });

  it('10. accepts both keys while the CALL is in flight', async () => {
    await change(NEW, async (commandId) => {
      expect([await admission(OLD), await admission(OLD), await admission(OLD)]).toEqual([
        'accept',
        'accept',
        'accept',
      ]);
      return reportEnd(commandId, ACCEPTED);
    });
    expect([await admission(NEW), await admission(OLD)]).toEqual(['accept', 'unauthorized']);
  });

  it('10. accepts either key after the API dies while sending, until the result resolves it', async () => {
    let sent = '';
    void change(NEW, (commandId) => {
      sent = commandId;
      return new Promise(() => undefined);
    });
    await eventually(() => sent !== '');
    expect([await admission(OLD), await admission(NEW)]).toEqual(['accept', 'accept']);
    // The charger has the new key, also when older results arrive late.
    expect(await admission(OLD)).toBe('unauthorized');
    await reportEnd(sent, ACCEPTED);
    expect([await admission(OLD), await admission(NEW)]).toEqual(['unauthorized', 'accept']);
  });

  it('10. leaves nothing behind for a CALL that was never sent', async () => {
    await change(NEW, () => Promise.resolve({ outcome: 'busy' }));
    expect([await admission(NEW), await admission(OLD)]).toEqual(['unauthorized', 'accept']);
  });

  it('10. uses the last accepted of two keys whose results are delivered twice', async () => {
    const [a, b] = ['22'.repeat(20), '33'.repeat(20)];
    const ids: string[] = [];
    for (const key of [a, b]) await change(key, (commandId) => (ids.push(commandId), reportEnd(commandId, ACCEPTED)));
    await reportEnd(ids[0] ?? '', ACCEPTED);
    expect([await admission(b), await admission(a), await admission(OLD)]).toEqual([
      'accept',
      'unauthorized',
      'unauthorized',
    ]);
  });

  it('10. uses the password that its owner sets meanwhile', async () => {
    const set = '44'.repeat(20);
    await change(NEW, async (commandId) => {
      await setPassword(set);
      return reportEnd(commandId, ACCEPTED);
    });
    expect([await admission(set), await admission(NEW), await admission(OLD)]).toEqual([
      'accept',
      'unauthorized',
      'unauthorized',
    ]);
  });

  it('10. limits the undecided keys', async () => {
    const undecided = () => change(NEW, (commandId) => reportEnd(commandId, { outcome: 'timeout' }));
    for (let count = 0; count < 4; count += 1) await undecided();
    await expect(undecided()).rejects.toMatchObject({ code: 'conflict' });
    expect(await admission(OLD)).toBe('accept');
    await expect(undecided()).resolves.toEqual({ outcome: 'timeout' });
  });

  it('13. refuses profile 2 over plain ws with the right password; profile 3 requires its own name', async () => {
    const { chargers } = world.platform.records;
    const connections = { close: () => Promise.resolve() };
    const set = (securityProfile: 2 | 3, authorizationKey?: string) =>
      setChargerAuthentication({ chargers, connections, clock }, charger, {
        securityProfile,
        ...(authorizationKey === undefined ? {} : { authorizationKey }),
      });
    await set(2, OLD);
    expect(await admission(OLD, { secure: false })).toBe('insecure');
    await set(3);
    expect(await admission(OLD)).toBe('certificate_required');
    expect(await admission(OLD, { certificateNames: ['another'] })).toBe('certificate_required');
    expect(await admission(OLD, { certificateNames: [charger.chargerId.toLowerCase()] })).toBe('certificate_required');
    expect(await admission(OLD, { certificateNames: ['serial', charger.chargerId] })).toBe('accept');
    const signedFor = (incarnationId: string) => [charger.chargerId, incarnationName(incarnationId)];
    expect(await admission(OLD, { certificateNames: signedFor(charger.incarnationId) })).toBe('accept');
    expect(await admission(OLD, { certificateNames: signedFor('deleted') })).toBe('certificate_required');
    await set(3, OLD);
    expect(await admission(NEW, { certificateNames: [charger.chargerId] })).toBe('unauthorized');
    await expect(set(2)).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

describe('checking passwords', () => {
  it('delays no other charger during brute force, and queues no more than it can check in time', async () => {
    const limits = { others: { concurrency: 1, maxQueue: 1 }, suspects: { concurrency: 1, maxQueue: 2 } };
    /** Hashes in progress, by secret; each completes when its function is called. */
    const hashed = new Map<string, () => void>();
    const checks = createPasswordChecks(
      limits,
      (secret) => new Promise((resolve) => hashed.set(secret.toString(), () => resolve(true))),
    );
    const order: string[] = [];
    const check = async (name: string, suspect: boolean): Promise<void> => {
      const result = await checks.check(Buffer.from(name), '', suspect);
      order.push(result === 'busy' ? `${name} busy` : name);
    };
    const end = async (name: string): Promise<void> => {
      const finish = await eventually(() => hashed.get(name));
      finish();
      await eventually(() => order.includes(name));
    };
    const all = Promise.all([
      ...['s1', 's2', 's3', 's4'].map((name) => check(name, true)),
      ...['o1', 'o2'].map((name) => check(name, false)),
    ]);
    for (const name of ['o1', 'o2', 's1', 's2', 's3']) await end(name);
    await all;
    expect(order).toEqual(['s4 busy', 'o1', 'o2', 's1', 's2', 's3']);
  });
});
