import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { logFailedHandshakes } from './failed-handshakes';

const failure = (code: string) => Object.assign(new Error('handshake'), { code });
const from = (n: number) => ({ remoteAddress: `198.51.${String(n >> 8)}.${String(n & 255)}` });

it.each([
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'does not trust the certificate'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'does not trust the certificate'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'no TLS version or cipher in common'],
])('logs %s: %s', (code, words) => {
  const logger = createRecordingLogger();
  logFailedHandshakes({ clock: createFakeClock(), logger })(failure(code), from(7));
  expect(logger.lines).toHaveLength(1);
  expect(logger.lines[0]?.fields).toEqual({
    remoteAddress: '198.51.0.7',
    reason: code,
    explanation: expect.stringContaining(words) as string,
  });
});

it('logs nothing for a client that sends no TLS or leaves, such as a port scanner', () => {
  const logger = createRecordingLogger();
  const log = logFailedHandshakes({ clock: createFakeClock(), logger });
  for (const code of ['ECONNRESET', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_TLS_HANDSHAKE_TIMEOUT'])
    log(failure(code), from(7));
  expect(logger.lines).toEqual([]);
});

it('logs one line a minute for each network and reason, and few in all', () => {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const log = logFailedHandshakes({ clock, logger });
  const untrusted = failure('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA');
  for (let n = 0; n < 5; n += 1) log(untrusted, from(7));
  expect(logger.lines).toHaveLength(1);
  clock.advance(60_000);
  log(untrusted, from(7));
  expect(logger.lines).toHaveLength(2);
  for (let n = 0; n < 1_000; n += 1) log(untrusted, from(n));
  expect(logger.lines.length).toBeLessThanOrEqual(62);
});
