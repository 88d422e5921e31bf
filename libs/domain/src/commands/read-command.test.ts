import { createFakeClock } from '@busbar/testing';
import type { CommandRecord } from './command-record';
import { readCommand } from './read-command';

const NOW = Date.parse('2026-02-02T00:00:00.000Z');
const DAY_MS = 86_400_000;
const UNKNOWN = { code: 'not_found', message: 'There is no command c1 of the last 24 hours.' };

const commandOf = (ageMs: number, part: Partial<CommandRecord> = {}): CommandRecord => ({
  commandId: 'c1',
  clientId: 'client',
  chargerId: 'ACME_1',
  operation: 'reset',
  requestedAt: new Date(NOW - ageMs).toISOString(),
  requestedBy: 'key',
  requestId: 'request',
  outcome: 'in_progress',
  response: null,
  completedAt: null,
  ...part,
});

function read(command: CommandRecord | undefined) {
  const find = (commandId: string) => Promise.resolve(commandId === command?.commandId ? command : undefined);
  return readCommand({ commands: { find }, clock: createFakeClock(new Date(NOW)) }, 'client', 'c1');
}

describe('reading a command', () => {
  it.each<[string, number, Partial<CommandRecord>]>([
    ['in progress', 0, {}],
    ['in progress for two minutes', 120_000, {}],
    ['that was answered', DAY_MS, { outcome: 'answered', response: '{}' }],
    ['that timed out two minutes ago', 120_001, { outcome: 'charger_timeout' }],
  ])('shows one %s as stored', async (_title, ageMs, part) => {
    const command = commandOf(ageMs, part);
    expect(await read(command)).toBe(command);
  });

  it('does not know the outcome of one that was in progress for longer than two minutes', async () => {
    const command = commandOf(120_001);
    expect(await read(command)).toEqual({ ...command, outcome: 'unknown' });
  });

  it.each<[string, CommandRecord | undefined]>([
    ['an unknown command', undefined],
    ['a command of another client', commandOf(0, { clientId: 'other' })],
    ['a command of more than 24 hours ago', commandOf(DAY_MS + 1, { outcome: 'answered' })],
  ])('does not find %s', async (_title, command) => {
    await expect(read(command)).rejects.toMatchObject(UNKNOWN);
  });
});
