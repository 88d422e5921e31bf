import { randomBytes } from 'node:crypto';
import { createStoredSecrets } from './stored-secrets';

const newKey = (): string => randomBytes(32).toString('base64');
const SECRET = 'whsec_c2VjcmV0 with ümlauts';

it('returns the secret to its owner alone', () => {
  const secrets = createStoredSecrets(newKey());
  const stored = secrets.encrypt(SECRET, 'webhook-1');
  expect(stored).not.toContain('whsec');
  expect(secrets.decrypt(stored, 'webhook-1')).toBe(SECRET);
  expect(secrets.decrypt(stored, 'webhook-2')).toBeUndefined();
});

it('encrypts the same secret to another text each time', () => {
  const secrets = createStoredSecrets(newKey());
  expect(secrets.encrypt(SECRET, 'a')).not.toBe(secrets.encrypt(SECRET, 'a'));
});

it('encrypts an empty secret', () => {
  const secrets = createStoredSecrets(newKey());
  expect(secrets.decrypt(secrets.encrypt('', 'a'), 'a')).toBe('');
});

it('encrypts with the first key and decrypts with all', () => {
  const [older, newer] = [newKey(), newKey()];
  const before = createStoredSecrets(older).encrypt(SECRET, 'a');
  const both = createStoredSecrets(`${newer}, ${older}`);
  expect([both.decrypt(before, 'a'), both.isCurrent(before, 'a')]).toEqual([SECRET, false]);
  const again = both.encrypt(SECRET, 'a');
  expect(both.isCurrent(again, 'a')).toBe(true);
  const after = createStoredSecrets(newer);
  expect([after.decrypt(again, 'a'), after.decrypt(before, 'a')]).toEqual([SECRET, undefined]);
});

describe('a stored text that is not as it was written', () => {
  const secrets = createStoredSecrets(newKey());
  const stored = secrets.encrypt(SECRET, 'a');
  const changedAt = (n: number): string => stored.slice(0, n) + (stored[n] === 'A' ? 'B' : 'A') + stored.slice(n + 1);

  it.each([
    ['empty', ''],
    ['without its prefix', stored.slice(3)],
    ['of another format', `v2.${stored.slice(3)}`],
    ['too short for nonce and tag', `v1.${randomBytes(27).toString('base64url')}`],
    ['cut off', stored.slice(0, -4)],
    ['with another nonce', changedAt(5)],
    ['with another tag', changedAt(25)],
    ['with another secret', changedAt(45)],
  ])('is not decrypted: %s', (_name, text) => {
    expect(secrets.decrypt(text, 'a')).toBeUndefined();
  });
});

describe('wrong keys', () => {
  const short = randomBytes(31).toString('base64');

  it.each([
    ['none', '', 'Key 1'],
    ['31 bytes', short, 'Key 1'],
    ['33 bytes', randomBytes(33).toString('base64'), 'Key 1'],
    ['hexadecimal', randomBytes(32).toString('hex'), 'Key 1'],
    ['characters that are no base64', `${newKey()}!`, 'Key 1'],
    ['the second of two', `${newKey()},${short}`, 'Key 2'],
    ['an empty one behind a comma', `${newKey()},`, 'Key 2'],
    ['nine', Array.from({ length: 9 }, newKey).join(), 'more than 8 keys'],
  ])('are refused by their position: %s', (_name, keys, expected) => {
    expect(() => createStoredSecrets(keys)).toThrow(expected);
  });

  it('are not in the message, which says how to make one', () => {
    let message = '';
    try {
      createStoredSecrets(short);
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toContain('node -p');
    expect(message).not.toContain(short);
  });
});
