import { AppError, isAppError } from '@busbar/core';
import { createFakeClock, eventually } from '@busbar/testing';
import type { Charger, ChargerConnection } from '../chargers/charger';
import { newCharger } from '../testing/charger';
import { storedDeviceModels } from '../testing/stored-device-models';
import type { LinkOutcome, ChargerAddress, ChargerCall } from './charger-link';
import type { CommandEnd, CommandRecord } from './command-record';
import { callCharger, type ChargerCommand, type EncodedCall } from './call-charger';

const OWNER = { clientId: 'acme', chargerId: 'ACME_1' };
const ACCEPTED: LinkOutcome = { outcome: 'answered', payload: { status: 'Accepted' } };

interface Status {
  readonly status: string;
}

const encodeReset = (version: string): EncodedCall<Status> | undefined =>
  version === 'ocpp1.6'
    ? { action: 'Reset', payload: { type: 'Soft' }, read: ({ status }) => ({ status: String(status) }) }
    : undefined;

const RESET: ChargerCommand<Status> = {
  timeoutMs: 30_000,
  requestedBy: 'key-1',
  requestId: 'request-1',
  encode: Object.assign(encodeReset, { operation: 'reset', input: { type: 'Soft' } }),
};

function chargerWith(connection: Partial<ChargerConnection>): Charger {
  const base = { active: true, gatewayId: 'g1', connectionId: 'c1', ocppVersion: 'ocpp1.6' };
  return newCharger({ ...OWNER, incarnationId: 'i1', connection: { ...base, ...connection } });
}

/** Records and outcomes in the order in which they are read; the last record repeats. */
function openWorld(records: readonly (Charger | undefined)[], outcomes: readonly LinkOutcome[], dead = false) {
  const clock = createFakeClock();
  const calls: { readonly to: ChargerAddress; readonly call: ChargerCall }[] = [];
  const recorded = new Map<string, CommandRecord>();
  const commands = {
    begin(command: CommandRecord) {
      recorded.set(command.commandId, command);
      return Promise.resolve();
    },
    complete(commandId: string, end: CommandEnd) {
      const command = recorded.get(commandId);
      if (command !== undefined) recorded.set(commandId, { ...command, ...end });
      return Promise.resolve();
    },
  };
  let reads = 0;
  const deps = {
    clock,
    commands,
    serializeInput: (input: object) => ({ text: JSON.stringify(input) }),
    chargers: {
      findOwned: () => Promise.resolve(records[Math.min(reads++, records.length - 1)]),
      // Only for a command with a new key.
      find: () => Promise.reject(new Error('not asked for')),
      replaceAuthentication: () => Promise.reject(new Error('not asked for')),
      saveGoodNetworks: () => Promise.reject(new Error('not asked for')),
    },
    deviceModels: storedDeviceModels(),
    gateways: { isDead: () => Promise.resolve(dead) },
    link: {
      call(to: ChargerAddress, call: ChargerCall) {
        const outcome = outcomes[calls.push({ to, call }) - 1];
        if (outcome === undefined) throw new Error('more calls than expected');
        return Promise.resolve(outcome);
      },
    },
  };
  let given: unknown;
  const send = async (command = RESET): Promise<string> => {
    let result: string | undefined;
    const sent = callCharger(deps, OWNER, command).then(
      ({ status, commandId }) => {
        given = commandId;
        result = status;
      },
      (error: unknown) => {
        if (!isAppError(error)) throw error;
        given = error.details['commandId'];
        result = error.code;
      },
    );
    await eventually(() => {
      clock.advance(100);
      return result !== undefined;
    });
    await sent;
    return result ?? '';
  };
  /** The record of the only command, whose id the caller received. */
  const record = (): CommandRecord | undefined => {
    const [only] = recorded.values();
    expect(given).toBe(only?.commandId);
    return only;
  };
  return { send, calls, commands, record };
}

const here = chargerWith({});
const moved = chargerWith({ gatewayId: 'g2', connectionId: 'c2' });
const gone = chargerWith({ active: false });

describe('callCharger', () => {
  it('calls the gateway in the record and decodes its answer', async () => {
    const { send, calls } = openWorld([here], [ACCEPTED]);
    expect(await send()).toBe('Accepted');
    expect(calls).toMatchObject([
      {
        to: { gatewayId: 'g1', chargerId: 'ACME_1', incarnationId: 'i1' },
        call: { action: 'Reset', timeoutMs: 30_000 },
      },
    ]);
  });

  it.each([
    ['charger_offline', gone],
    ['charger_offline', chargerWith({ gatewayId: null })],
    ['not_found', undefined],
    ['not_supported_by_version', chargerWith({ ocppVersion: 'ocpp2.0.1' })],
  ])('throws %s without a call', async (code, charger) => {
    const { send, calls } = openWorld([charger], []);
    expect(await send()).toBe(code);
    expect(calls).toEqual([]);
  });

  it('calls nobody when the precondition does not hold', async () => {
    const { send, calls } = openWorld([here], []);
    const check = () => Promise.reject(new AppError('conflict', 'It is not so.'));
    expect(await send({ ...RESET, check })).toBe('conflict');
    expect(calls).toEqual([]);
  });

  it.each<[string, LinkOutcome]>([
    ['charger_error', { outcome: 'error', code: 'NotSupported', description: '' }],
    ['charger_invalid_answer', { outcome: 'invalid_answer', description: '/status is missing' }],
    ['charger_timeout', { outcome: 'timeout' }],
    ['charger_disconnected', { outcome: 'disconnected' }],
    ['charger_busy', { outcome: 'busy' }],
    ['unavailable', { outcome: 'unsupported_version' }],
    ['unavailable', { outcome: 'unavailable' }],
    ['charger_timeout', { outcome: 'lost' }],
  ])('throws %s for that outcome alone, and never repeats the call', async (code, outcome) => {
    const { send, calls } = openWorld([here], [outcome]);
    expect(await send()).toBe(code);
    expect(calls).toHaveLength(1);
  });
});

describe('callCharger, when the charger is not at the gateway in its record,', () => {
  it('tries once more at the gateway that the record shows then', async () => {
    const { send, calls } = openWorld([here, moved], [{ outcome: 'not_here' }, ACCEPTED]);
    expect(await send()).toBe('Accepted');
    expect(calls.map(({ to }) => to.gatewayId)).toEqual(['g1', 'g2']);
  });

  it('tries once more after a moment when the record is unchanged, since it may be about to change', async () => {
    const { send, calls } = openWorld([here, here, moved], [{ outcome: 'not_here' }, ACCEPTED]);
    expect(await send()).toBe('Accepted');
    expect(calls.map(({ to }) => to.gatewayId)).toEqual(['g1', 'g2']);
  });

  it('throws charger_offline when the record then shows that, or the second gateway does not have it either', async () => {
    expect(await openWorld([here, gone], [{ outcome: 'not_here' }]).send()).toBe('charger_offline');
    const twice = openWorld([here, moved], [{ outcome: 'not_here' }, { outcome: 'not_here' }]);
    expect(await twice.send()).toBe('charger_offline');
    expect(twice.calls).toHaveLength(2);
  });

  it('throws unavailable while its gateway has a lease, and charger_offline when that is dead', async () => {
    const nobody: LinkOutcome = { outcome: 'nobody' };
    expect(await openWorld([here], [nobody]).send()).toBe('unavailable');
    expect(await openWorld([here], [nobody], true).send()).toBe('charger_offline');
    expect(await openWorld([here, moved], [nobody, nobody]).send()).toBe('unavailable');
  });

  it('follows a gateway that came back under another id', async () => {
    const { send, calls } = openWorld([here, chargerWith({ gatewayId: 'g3' })], [{ outcome: 'nobody' }, ACCEPTED]);
    expect(await send()).toBe('Accepted');
    expect(calls.at(-1)?.to.gatewayId).toBe('g3');
  });
});

describe('the record of a command', () => {
  const ASKED = { operation: 'reset', request: '{"type":"Soft"}', requestedBy: 'key-1', requestId: 'request-1' };
  const FACTS = { ...OWNER, ...ASKED };
  const END = { completedAt: expect.stringMatching(/^2026-01-01T/) as string };

  it('has the answer, under the id that the gateway gets too', async () => {
    const { send, calls, record } = openWorld([here], [ACCEPTED]);
    await send();
    const requestedAt = END.completedAt;
    expect(record()).toEqual({
      ...FACTS,
      ...END,
      requestedAt,
      outcome: 'answered',
      response: '{"status":"Accepted"}',
      commandId: calls[0]?.call.commandId,
    });
    expect(calls[0]?.call).toMatchObject({ requestId: 'request-1' });
  });

  it('is one, where the command is tried a second time', async () => {
    const { send, calls, record } = openWorld([here, moved], [{ outcome: 'not_here' }, ACCEPTED]);
    await send();
    expect(calls.map(({ call }) => call.commandId)).toEqual([record()?.commandId, record()?.commandId]);
  });

  it.each<[string, Charger, LinkOutcome[], string | null]>([
    ['charger_offline', gone, [], null],
    ['charger_timeout', here, [{ outcome: 'timeout' }], null],
    ['charger_disconnected', here, [{ outcome: 'disconnected' }], null],
    [
      'charger_error',
      here,
      [{ outcome: 'error', code: 'NotSupported', description: 'no' }],
      '{"code":"NotSupported","description":"no"}',
    ],
  ])('has the outcome %s, and the error has its id', async (outcome, charger, outcomes, response) => {
    const { send, record } = openWorld([charger], outcomes);
    expect(await send()).toBe(outcome);
    expect(record()).toMatchObject({ ...FACTS, ...END, outcome, response });
  });

  it("is not made for another client's charger", async () => {
    const { send, record } = openWorld([undefined], []);
    expect(await send()).toBe('not_found');
    expect(record()).toBeUndefined();
  });

  it('is made before the call: a command that cannot be recorded is not sent', async () => {
    const { send, calls, commands } = openWorld([here], [ACCEPTED]);
    commands.begin = () => Promise.reject(new AppError('unavailable', 'no store'));
    expect(await send()).toBe('unavailable');
    expect(calls).toEqual([]);
  });

  it.each([
    ['the store is unavailable', new AppError('unavailable', 'no store')],
    ['the store fails', new Error('a fault')],
  ])('does not withhold the answer where its end cannot be stored because %s', async (_why, failure) => {
    const { send, commands, record } = openWorld([here], [ACCEPTED]);
    commands.complete = () => Promise.reject(failure);
    expect(await send()).toBe('Accepted');
    expect(record()).toMatchObject({ outcome: 'in_progress', response: null, completedAt: null });
  });

  it('has only the status of a very long answer', async () => {
    const { send, record } = openWorld([here], [ACCEPTED]);
    const read = () => ({ status: 'Accepted', text: 'x'.repeat(20_000) });
    const encode = (version: string) => ({ ...encodeReset(version), action: 'Reset', payload: {}, read });
    await send({ ...RESET, encode: Object.assign(encode, { operation: 'reset', input: { type: 'Soft' } }) });
    expect(record()).toMatchObject({ response: '{"status":"Accepted"}' });
  });
});
