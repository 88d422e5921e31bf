import { AppError } from '@busbar/core';
import { createFakeClock } from '@busbar/testing';
import type { CommandEnd, CommandRecord, CommandWriter } from './command-record';
import { recordCommand, type SerializedInput } from './record-command';

const NOW = '2026-02-01T00:00:00.000Z';
const END = '2026-02-01T00:00:05.000Z';
const FACTS = { clientId: 'client', chargerId: 'ACME_1', operation: 'reset', requestedBy: 'key', requestId: 'r' };

function open(serialized: SerializedInput = { text: '{"masked":true}' }) {
  const clock = createFakeClock(new Date(NOW));
  const begun: [CommandRecord, number][] = [];
  const ends: [string, CommandEnd][] = [];
  const commands: CommandWriter = {
    begin: (...args) => Promise.resolve(void begun.push(args)),
    complete: (...args) => Promise.resolve(void ends.push(args)),
  };
  const serializeInput = jest.fn(() => serialized);
  const run = (answer: () => object) =>
    recordCommand({ commands, clock, serializeInput }, { ...FACTS, input: { secret: 1 } }, (commandId) => {
      clock.advance(5_000);
      return Promise.resolve({ ...answer(), ran: commandId });
    });
  return { clock, begun, ends, commands, serializeInput, run };
}

describe('the record of a command', () => {
  it.each<[string, SerializedInput, object]>([
    ['has its input as serialized', { text: '{}' }, { request: '{}' }],
    ['has the length of a shortened input', { text: '{', bytes: 99 }, { request: '{', requestBytes: 99 }],
  ])('%s, before it runs', async (_title, serialized, expected) => {
    const { begun, run, serializeInput } = open(serialized);
    const { commandId, ran } = (await run(() => {
      expect(begun).toHaveLength(1);
      return {};
    })) as unknown as Record<string, string>;
    expect(ran).toBe(commandId);
    const start = { requestedAt: NOW, outcome: 'in_progress', response: null, completedAt: null };
    expect(begun).toEqual([[{ commandId, ...FACTS, ...expected, ...start }, 2_000]]);
    expect(serializeInput).toHaveBeenCalledWith({ secret: 1 });
  });

  const long = 'x'.repeat(20_000);
  const chargerError = { code: 'NotSupported' };
  const busy = new AppError('charger_busy', 'Busy.', { details: { retryAfterS: 1 } });
  const failed = new AppError('charger_error', 'No.', { details: { chargerError } });

  it.each<[string, object, string]>([
    ['has the answer', { status: 'Accepted' }, '{"status":"Accepted","ran":'],
    ['has the status only of a long answer', { status: 'Accepted', long }, '{"status":"Accepted"}'],
    ['has nothing of a long answer without a status', { long }, '{}'],
    ['has nothing of a long answer whose status is no text', { status: 7, long }, '{}'],
  ])('%s', async (_title, answer, response) => {
    const { ends, run } = open();
    const result = await run(() => answer);
    expect(result).toMatchObject(answer);
    const end = { outcome: 'answered', response: expect.stringContaining(response) as unknown, completedAt: END };
    expect(ends).toEqual([[result.commandId, end]]);
  });

  it.each<[string, Error, Omit<CommandEnd, 'completedAt'>]>([
    ['has the code of a failure', busy, { outcome: 'charger_busy', response: null }],
    ["has the charger's error", failed, { outcome: 'charger_error', response: JSON.stringify(chargerError) }],
    ['has no code of an unexpected failure', new Error('bug'), { outcome: 'internal', response: null }],
  ])('%s, which its caller gets', async (_title, error, end) => {
    const { begun, ends, run } = open();
    const caught = await run(() => {
      throw error;
    }).catch((thrown: unknown) => thrown);
    const commandId = begun[0]?.[0].commandId;
    expect(ends).toEqual([[commandId, { ...end, completedAt: END }]]);
    if (!(error instanceof AppError)) expect(caught).toBe(error);
    else {
      const { code, message, details } = error;
      expect(caught).toMatchObject({ code, message, details: { ...details, commandId } });
    }
  });

  it.each([
    ['gives its caller the answer', () => ({ status: 'Accepted' }), { status: 'Accepted' }],
    ['gives its caller the failure', () => Promise.reject(busy), { code: 'charger_busy' }],
  ])('%s though its end cannot be stored', async (_title, run, expected) => {
    const { clock, commands, serializeInput } = open();
    const complete = () => Promise.reject(new Error('down'));
    const deps = { commands: { ...commands, complete }, clock, serializeInput };
    const result = recordCommand(deps, { ...FACTS, input: {} }, () => Promise.resolve(run()));
    expect(await result.catch((thrown: unknown) => thrown)).toMatchObject(expected);
  });

  it('prevents the command where it cannot be stored', async () => {
    const { clock, commands, serializeInput } = open();
    const begin = () => Promise.reject(new AppError('unavailable', 'The store is unreachable.'));
    const run = jest.fn();
    const deps = { commands: { ...commands, begin }, clock, serializeInput };
    await expect(recordCommand(deps, { ...FACTS, input: {} }, run)).rejects.toMatchObject({ code: 'unavailable' });
    expect(run).not.toHaveBeenCalled();
  });
});
