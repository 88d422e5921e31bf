import type { ConnectionAttempt } from '@busbar/contracts';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createRejectedAttempts, type RejectedAttempts } from './rejected-attempts';

const clockOf = createFakeClock;
let clock: ReturnType<typeof clockOf>;
let logger: ReturnType<typeof createRecordingLogger>;
let reported: ConnectionAttempt[];
let attempts: RejectedAttempts;
beforeEach(() => {
  clock = clockOf();
  logger = createRecordingLogger();
  reported = [];
  attempts = createRejectedAttempts({ clock, logger, strict: false, report: (attempt) => void reported.push(attempt) });
  attempts.start();
});
afterEach(() => attempts.stop());

const KNOWN: ReadonlySet<string> = new Set(['unauthorized', 'insecure']);

function reject(
  chargerId: string,
  { reason = 'unknown_charger', requestId = 'r', address = '198.51.100.7', isJudged = true } = {},
): void {
  const request = { url: `/ocpp/${chargerId}`, headers: { 'sec-websocket-protocol': 'ocpp1.6' } };
  const charger = KNOWN.has(reason) ? 'known' : 'unknown';
  attempts.rejected({ request, from: { address }, reason, requestId, ...(isJudged ? { charger } : {}) });
}

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

const counts = () => reported.map(({ chargerId, reason, count }) => [chargerId, reason, count]);

it('reports the first attempt immediately, and those of each further minute together', () => {
  for (let n = 0; n < 3; n += 1) reject('NEW_1', { requestId: `r${String(n)}` });
  reject('NEW_1', { reason: 'unauthorized' });
  expect(counts()).toEqual([
    ['NEW_1', 'unknown_charger', 1],
    ['NEW_1', 'unauthorized', 1],
  ]);
  clock.advance(59_000);
  expect(reported).toHaveLength(2);
  clock.advance(6_000);
  expect(counts().slice(2)).toEqual([['NEW_1', 'unknown_charger', 2]]);
  expect(reported[2]).toMatchObject({ requestId: 'r2', at: '2026-01-01T00:00:00.000Z' });
  reject('NEW_1');
  clock.advance(60_000);
  expect(counts().slice(3)).toEqual([['NEW_1', 'unknown_charger', 1]]);
  // Quiet for a minute: the next one is a first again.
  clock.advance(65_000);
  reject('NEW_1');
  expect(reported).toHaveLength(5);
});

it('logs one line for each report', () => {
  reject('NEW_1');
  reject('NEW_1');
  clock.advance(65_000);
  expect(logger.lines.map(({ level, fields }) => [level, fields['chargerId'], fields['count']])).toEqual([
    ['info', 'NEW_1', 1],
    ['info', 'NEW_1', 1],
  ]);
});

it.each([
  [undefined, 'none'],
  ['Bearer x', 'malformed'],
  [basic('ACME_2:secret'), 'of another user'],
  [basic('ACME_1:secret'), 'wrong password'],
])('logs which credentials an unauthorized charger sent: %s', (authorization, credentials) => {
  const headers = authorization === undefined ? {} : { authorization };
  attempts.rejected({
    request: { url: '/ocpp/ACME_1', headers },
    from: { address: '198.51.100.7' },
    reason: 'unauthorized',
    charger: 'known',
  });
  expect(logger.lines[0]?.fields).toMatchObject({ chargerId: 'ACME_1', credentials });
  expect(JSON.stringify(logger.lines)).not.toContain('secret');
  expect(reported[0]).not.toHaveProperty('credentials');
});

it('gives each report an id that sorts after the ones before', () => {
  for (let n = 0; n < 50; n += 1) reject(`NEW_${String(n)}`);
  const ids = reported.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort());
});

it('limits its memory and log lines for invented identities', () => {
  reject('FIRST');
  reject('FIRST');
  for (let n = 0; n < 12_000; n += 1) reject(`NEW_${String(n)}`);
  // Evicted, with what it had not reported.
  expect(counts().filter(([chargerId]) => chargerId === 'FIRST')).toEqual([
    ['FIRST', 'unknown_charger', 1],
    ['FIRST', 'unknown_charger', 1],
  ]);
  expect(logger.lines.length).toBeLessThan(600);
  clock.advance(5_000);
  expect(logger.lines.at(-1)?.fields).toEqual({ omitted: 12_002 - (logger.lines.length - 1) });
});

it('names each charger behind one address whose attempts were not checked', () => {
  const unjudged = { reason: 'no_websocket_upgrade', isJudged: false };
  for (let n = 0; n < 20; n += 1) {
    reject('CP1', unjudged);
    reject('CP2', unjudged);
    clock.advance(30_000);
  }
  const ids = counts().map(([chargerId]) => chargerId);
  expect(new Set(ids)).toEqual(new Set(['CP1', 'CP2']));
  const countOf = (id: string) =>
    counts().reduce((sum, [chargerId, , count]) => sum + (chargerId === id ? Number(count) : 0), 0);
  attempts.stop();
  expect([countOf('CP1'), countOf('CP2')]).toEqual([20, 20]);
});

it('counts unchecked attempts above the share of their network together, without a charger', () => {
  const busy = { reason: 'too_many_upgrades', isJudged: false };
  for (let n = 0; n < 60; n += 1) reject(`NEW_${String(n)}`, { ...busy, address: `2001:db8::${String(n)}` });
  reject('E', { ...busy, address: '2001:db8:0:1::2' });
  // The first beyond the share begins the series of the others.
  expect(counts()).toHaveLength(52);
  expect(counts().at(-1)).toEqual(['E', 'too_many_upgrades', 1]);
  clock.advance(65_000);
  expect(counts().slice(52)).toEqual([[null, 'too_many_upgrades', 9]]);
});

it.each([
  ['one network invents', () => '203.0.113.9'],
  ['many networks invent', (n: number) => `10.0.${String(n >> 8)}.${String(n & 255)}`],
])('logs a known charger of another network while %s ids', (_title, addressOf) => {
  reject('ACME_1', { reason: 'unauthorized' });
  reject('ACME_1', { reason: 'unauthorized' });
  for (let n = 0; n < 12_000; n += 1) reject(`NEW_${String(n)}`, { address: addressOf(n) });
  reject('ACME_2', { reason: 'insecure' });
  clock.advance(65_000);
  const lines = logger.lines.map(({ fields }) => [fields['chargerId'], fields['reason'], fields['count']]);
  expect(lines).toEqual(
    expect.arrayContaining([
      ['ACME_1', 'unauthorized', 1],
      ['ACME_2', 'insecure', 1],
    ]),
  );
  // Not evicted: the second attempt is reported when its minute is over.
  expect(counts().at(-1)).toEqual(['ACME_1', 'unauthorized', 1]);
});

it('limits and escapes the path and the headers', () => {
  reject(encodeURIComponent('A\u202e\n\u0000B'));
  reject('x'.repeat(150));
  reject('%E0%A4%A');
  const protocols = Array.from({ length: 20 }, () => 'y'.repeat(100)).join(',');
  const request = { url: '/ocpp/Y', headers: { 'sec-websocket-protocol': protocols } };
  attempts.rejected({ request, from: { address: undefined }, reason: 'no_subprotocol' });
  expect(reported.map(({ chargerId }) => chargerId)).toEqual([
    'A\\u202e\\u000a\\u0000B',
    `${'x'.repeat(64)}…`,
    null,
    'Y',
  ]);
  expect(reported[3]).toMatchObject({ remoteAddress: null, requestId: expect.stringMatching(/^\w{26}$/) as string });
  expect(reported[3]?.protocols).toEqual(Array.from({ length: 10 }, () => `${'y'.repeat(40)}…`));
});

it('reports the remaining attempts when it stops', () => {
  reject('NEW_1');
  reject('NEW_1');
  attempts.stop();
  expect(counts()).toEqual([
    ['NEW_1', 'unknown_charger', 1],
    ['NEW_1', 'unknown_charger', 1],
  ]);
});
