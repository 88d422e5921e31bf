import { isOpen, MAX_AGE_MS, MAX_IDLE_MS, type ConsoleSession } from './console-session';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const at = (ms: number): string => new Date(START + ms).toISOString();

const sessionUsedAt = (ms: number): ConsoleSession => ({
  hash: 'h',
  keyId: 'key_1',
  createdAt: at(0),
  lastUsedAt: at(ms),
  expiresAt: at(MAX_AGE_MS),
});

describe('a session of the console', () => {
  it.each<[string, number, number, boolean]>([
    ['is open at once', 0, 0, true],
    ['is open a moment before half an hour without use', 0, MAX_IDLE_MS - 1, true],
    ['has ended half an hour after its last use', 0, MAX_IDLE_MS, false],
    ['is open for half an hour from any use', MAX_IDLE_MS, 2 * MAX_IDLE_MS - 1, true],
    ['is open a moment before its twelve hours, in use', MAX_AGE_MS - 2, MAX_AGE_MS - 1, true],
    ['has ended after twelve hours, in use', MAX_AGE_MS - 1, MAX_AGE_MS, false],
  ])('%s', (_title, usedAt, now, expected) => {
    expect(isOpen(sessionUsedAt(usedAt), new Date(START + now))).toBe(expected);
  });
});
