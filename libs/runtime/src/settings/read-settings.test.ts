import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, isAppError } from '@busbar/core';
import {
  choice,
  choices,
  cidrs,
  flag,
  decimal,
  integer,
  listenAddress,
  names,
  optionalPort,
  path,
  port,
  required,
  text,
  url,
} from './combinators';
import { readSettings } from './read-settings';
import type { Setting } from './setting';
import { brokerSettings, storeSettings } from './shared-settings';

const secret = text('X', 'A secret.', {
  default: undefined,
  pattern: /^\w{4}$/,
  expects: 'four letters',
  secret: true,
});
const kinds = {
  integer: integer('X', 'A number.', { default: 5, min: 1, max: 10 }),
  decimal: decimal('X', 'A number.', { default: 1, min: 0.001, max: 7 }),
  listenAddress: listenAddress('X', 'An address.', { default: '127.0.0.1' }),
  port: port('X', 'A port.', { default: 8443 }),
  optionalPort: optionalPort('X', 'A port.', { default: 'off' }),
  flag: flag('X', 'A flag.', { default: false }),
  choice: choice('X', 'A word.', { of: ['info', 'debug'], default: 'info' }),
  choices: choices('X', 'Words.', { of: ['ocpp2.0.1', 'ocpp1.6'], default: ['ocpp1.6'] }),
  text: text('X', 'A text.', { default: undefined, pattern: /^[a-z]+$/, expects: 'small letters' }),
  url: url('X', 'A URL.', { default: 'memory:', schemes: ['memory:', 'amqp://'] }),
  path: path('X', 'A path.'),
  cidrs: cidrs('X', 'Networks.'),
  names: names('X', 'Names.'),
} satisfies Record<string, Setting<unknown>>;

function read(setting: Setting<unknown>, env: Record<string, string>): unknown {
  return readSettings({ value: setting }, env).value;
}

function refusal(setting: Setting<unknown>, env: Record<string, string>): string {
  try {
    read(setting, env);
  } catch (error) {
    expect(isAppError(error, 'invalid_configuration')).toBe(true);
    return (error as AppError).message;
  }
  throw new Error('nothing was refused');
}

describe('a setting that is right', () => {
  it.each<[keyof typeof kinds, string, unknown]>([
    ['integer', '1', 1],
    ['integer', '10', 10],
    ['decimal', '0.001', 0.001],
    ['decimal', '7', 7],
    ['listenAddress', '0.0.0.0', '0.0.0.0'],
    ['listenAddress', '::', '::'],
    ['listenAddress', '127.8.9.1', '127.8.9.1'],
    ['listenAddress', 'localhost', 'localhost'],
    ['listenAddress', 'v2_api.example', 'v2_api.example'],
    ['port', '0', 0],
    ['port', '65535', 65_535],
    ['optionalPort', 'off', 'off'],
    ['optionalPort', '8080', 8080],
    ['flag', 'TRUE', true],
    ['flag', 'false', false],
    ['choice', 'debug', 'debug'],
    ['choices', 'ocpp1.6, ocpp2.0.1', ['ocpp1.6', 'ocpp2.0.1']],
    ['text', ' abc ', 'abc'],
    ['url', 'amqp://guest:secret@host', 'amqp://guest:secret@host'],
    ['path', './a b', './a b'],
    ['cidrs', '10.0.0.0/8, ::1,fd00::/8', ['10.0.0.0/8', '::1', 'fd00::/8']],
    ['names', 'Hub.Example.com, hub ,192.0.2.1,2001:db8::1', ['hub.example.com', 'hub', '192.0.2.1', '2001:db8::1']],
  ])('is taken by %s from %j', (kind, given, value) => {
    expect(read(kinds[kind], { X: given })).toEqual(value);
  });
});

describe('a setting that is wrong', () => {
  it.each<[keyof typeof kinds, string]>([
    ['integer', '0'],
    ['integer', '11'],
    ['integer', '1.5'],
    ['integer', '1e1'],
    ['decimal', '0.0009'],
    ['decimal', '7.5'],
    ['decimal', '1e0'],
    ['decimal', '.5'],
    ['decimal', '1,5'],
    ['listenAddress', '127.0.0.300'],
    ['listenAddress', '127.0.0'],
    ['listenAddress', '192.0.2.1'],
    ['listenAddress', '2001:db8::1'],
    ['listenAddress', 'localhost:8443'],
    ['listenAddress', 'https://localhost'],
    ['port', '65536'],
    ['port', '-1'],
    ['optionalPort', 'on'],
    ['flag', 'yes'],
    ['choice', 'INFO'],
    ['choices', 'ocpp1.6,ocpp1.5'],
    ['choices', 'ocpp1.6,ocpp1.6'],
    ['choices', 'ocpp1.6,'],
    ['text', 'ABC'],
    ['url', 'http://host'],
    ['path', 'a\0b'],
    ['cidrs', '10.0.0.0/33'],
    ['cidrs', '10.0.0/8'],
    ['cidrs', '10.0.0.0/8/8'],
    ['cidrs', 'everybody'],
    ['names', 'a,,b'],
    ['names', 'https://hub.example.com'],
    ['names', 'hub.example.com:8443'],
    ['names', '*.example.com'],
    ['names', '-hub.example.com'],
    ['names', '192.0.2.300'],
    ['names', 'a'.repeat(64)],
    ['names', Array.from({ length: 21 }, (_, i) => `h${String(i)}`).join(',')],
  ])('is refused by %s in one sentence that names the variable and its allowed values: %j', (kind, given) => {
    const message = refusal(kinds[kind], { X: given });
    expect(message).toMatch(/^X must be .*: correct it.*\.$/);
    expect(message).toContain(kinds[kind].expects);
    expect(message).not.toContain('\n');
  });

  it('is shown in the error', () => {
    expect(refusal(kinds.integer, { X: 'abc' })).toBe(
      'X must be a whole number from 1 to 10 and is "abc": correct it, or remove it to have 5.',
    );
  });

  it('is not shown when it is a secret, nor when it is a URL, which may hold a password', () => {
    expect(refusal(secret, { X: 'hunter2' })).not.toContain('hunter2');
    expect(refusal(kinds.url, { X: 'http://u:hunter2@h' })).not.toContain('hunter2');
  });
});

describe('a setting that is not given', () => {
  it.each([{}, { X: '' }, { X: '  ' }])('has its default in %j', (env) => {
    expect(read(kinds.integer, env)).toBe(5);
    expect(read(kinds.text, env)).toBeUndefined();
  });

  it('is an error when it is required', () => {
    expect(refusal(required(kinds.integer), {})).toBe('X is not set: set it to a whole number from 1 to 10.');
  });
});

describe('a setting in a file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'settings-'));
  });
  afterEach(() => {
    rmSync(directory, { recursive: true });
  });

  const fileWith = (content: string): string => {
    const file = join(directory, 'value');
    writeFileSync(file, content);
    return file;
  };

  it('is read without the line end', () => {
    expect(read(secret, { X_FILE: fileWith('abcd\n') })).toBe('abcd');
  });

  it('is validated as any other', () => {
    expect(refusal(kinds.integer, { X_FILE: fileWith('abc') })).toContain('X must be');
  });

  it('is named in the error when its file is missing', () => {
    const file = join(directory, 'missing');
    expect(refusal(secret, { X_FILE: file })).toBe(
      `X_FILE names ${file}, which cannot be read (ENOENT): correct the path or its rights.`,
    );
  });

  it('is named in the error when its file is empty', () => {
    expect(refusal(secret, { X_FILE: fileWith('\n') })).toContain('which is empty');
  });

  it('is refused in the environment as well', () => {
    expect(refusal(secret, { X: 'abcd', X_FILE: fileWith('abcd') })).toBe(
      'X and X_FILE are both set: remove one of them.',
    );
  });
});

describe('several wrong settings', () => {
  const spec = {
    a: integer('A', 'A number.', { default: 5, min: 1, max: 10 }),
    b: flag('B', 'A flag.', { default: false }),
  };
  const together = {
    of: ['a', 'b'] as const,
    check({ a, b }: { a: number; b: boolean }) {
      if (b && a > 5) throw new AppError('invalid_configuration', 'A is above 5 and B is true: change one of them.');
    },
  };
  const readAll = (env: Record<string, string>) => () => readSettings(spec, env, [together]);

  it('reports all of them, each in its line', () => {
    expect(readAll({ A: '0', B: 'perhaps' })).toThrow(
      '2 settings are wrong:\n- A must be a whole number from 1 to 10 and is "0": correct it, or remove it to have 5.\n' +
        '- B must be true or false and is "perhaps": correct it, or remove it to have false.',
    );
  });

  it('reports a contradiction between them once each of them is right', () => {
    expect(readAll({ A: '6', B: 'true' })).toThrow(/^A is above 5 and B is true: change one of them\.$/);
    expect(readAll({ A: '11', B: 'true' })).toThrow(/^A must be [^\n]*$/);
    expect(readAll({ A: '5', B: 'true' })()).toEqual({ a: 5, b: true });
  });
});

describe('a service alone', () => {
  it.each([
    [
      brokerSettings.brokerUrl,
      { BROKER_URL: 'memory:' },
      'BROKER_URL must be a URL that begins with amqp:// or amqps://',
    ],
    [brokerSettings.brokerUrl, {}, 'BROKER_URL is not set'],
    [storeSettings.storeUrl, { STORE_URL: 'file:./data' }, 'STORE_URL must be a URL that begins with mongodb://'],
    [storeSettings.storeUrl, {}, 'STORE_URL is not set'],
  ])('refuses an embedded URL and names the variable to set', (setting, env, sentence) => {
    expect(refusal(setting, env)).toContain(sentence);
  });
});
