import type { IncomingMessage } from 'node:http';
import { createProxyTrust } from '@busbar/http';
import { createFakeClock } from '@busbar/testing';
import { createLiveCounts, isFromThisMachine } from './live-counts';

const isTrustedProxy = createProxyTrust(['127.0.0.9', '192.168.1.9']);
const request = (remoteAddress: string | undefined, localAddress: string, headers: object = {}) =>
  ({ headers, socket: { remoteAddress, localAddress }, connection: { remoteAddress } }) as unknown as IncomingMessage;

describe('a request', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['::ffff:127.0.0.1', '::ffff:127.0.0.1'],
    ['192.168.1.20', '192.168.1.20'],
    ['::ffff:192.168.1.20', '::ffff:192.168.1.20'],
    ['2001:db8::20', '2001:db8::20'],
  ])('comes from this machine: from %s to %s', (remote, local) => {
    expect(isFromThisMachine(request(remote, local), isTrustedProxy)).toBe(true);
  });

  it.each([
    ['192.168.1.30', '192.168.1.20'],
    ['::ffff:192.168.1.30', '::ffff:192.168.1.20'],
    ['127.0.0.9', '127.0.0.1'],
    ['192.168.1.9', '192.168.1.9'],
    [undefined, '127.0.0.1'],
  ])('comes from a stranger or a trusted proxy: from %s to %s', (remote, local) => {
    expect(isFromThisMachine(request(remote, local), isTrustedProxy)).toBe(false);
  });

  it.each(['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-proto'])(
    'comes through a proxy with the header %s, also through an unlisted one',
    (header) => {
      const forwarded = request('127.0.0.1', '127.0.0.1', { [header]: '127.0.0.1' });
      expect(isFromThisMachine(forwarded, isTrustedProxy)).toBe(false);
    },
  );
});

describe('live counts', () => {
  const gateway = { counts: () => ({ connections: 2, frames: 40 }) };

  it('reads them at most once a second, however many ask', async () => {
    const clock = createFakeClock();
    const totals = jest.fn(() => Promise.resolve({ chargers: 3, sessionsInProgress: 1 }));
    const read = createLiveCounts({ statistics: { totals }, gateway, clock });
    const counts = { chargers: 3, sessions: 1, connected: 2, messages: 40 };
    expect(await Promise.all([read(), read(), read()])).toEqual([counts, counts, counts]);
    expect(totals).toHaveBeenCalledTimes(1);
    clock.advance(1_000);
    await read();
    expect(totals).toHaveBeenCalledTimes(2);
  });

  it('has none where the store fails, or does not respond in time', async () => {
    const clock = createFakeClock();
    const failing = { totals: () => Promise.reject(new Error('broken')) };
    expect(await createLiveCounts({ statistics: failing, gateway, clock })()).toBeUndefined();
    const silent = { totals: () => new Promise<never>(() => undefined) };
    const reading = createLiveCounts({ statistics: silent, gateway, clock })();
    clock.advance(2_000);
    expect(await reading).toBeUndefined();
  });
});
