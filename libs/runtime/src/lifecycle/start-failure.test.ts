import { AppError } from '@busbar/core';
import { startFailure } from './start-failure';

const systemError = (code: string, facts: object = {}) => Object.assign(new Error(code), { code, ...facts });

it('gives the message of an expected failure', () => {
  const message = 'RabbitMQ is unreachable.';
  expect(startFailure(new AppError('unavailable', message))).toBe(message);
});

it.each([
  ['EADDRINUSE', { address: '127.0.0.1', port: 80 }, 'Port 80 at 127.0.0.1 is taken'],
  ['EADDRNOTAVAIL', { address: '10.9.9.9' }, '10.9.9.9 is not an address of this machine'],
  ['EACCES', { path: '/data' }, '/data may not be used by this user'],
  ['EPERM', { path: '/data' }, '/data may not be used by this user'],
  ['ENOENT', { path: '/data' }, '/data does not exist'],
  ['ENOTDIR', { path: '/data' }, '/data leads through a file'],
  ['EISDIR', { path: '/data' }, '/data is a directory'],
  ['ENOSPC', {}, 'A file or address has no space left'],
  ['EROFS', { path: '/data' }, '/data cannot be written'],
  ['ENOTFOUND', {}, 'A host name in the settings is unknown'],
  ['ECONNREFUSED', { address: '::1', port: 5672 }, 'Port 5672 at ::1 refuses connections'],
])('says what to do: %s', (code, facts, sentence) => {
  expect(startFailure(systemError(code, facts))).toContain(sentence);
});

it.each([new TypeError('a defect'), new AppError('internal', 'a defect'), systemError('EPIPE'), 'text', undefined])(
  'has no sentence for a fault of the program: %s',
  (error) => {
    expect(startFailure(error)).toBeUndefined();
  },
);
