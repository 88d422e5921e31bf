import {
  asksForWebsocket,
  chooseSubprotocol,
  isChargerPath,
  isSameIdentity,
  readCredentials,
  readIdentity,
} from './handshake';

const TOLERANT = { strict: false };
const STRICT = { strict: true };

describe('the identity in a path', () => {
  it.each([
    ['/ocpp/ACME_1', 'ACME_1'],
    ['/ocpp/ACME%5F1', 'ACME_1'],
    ['/ocpp/A%3AB', 'A:B'],
    ['/ocpp/%2A', '*'],
    ['/ocpp/RDAM%20123', 'RDAM 123'],
  ])('5. is decoded: %s', (url, chargerId) => {
    expect(readIdentity(url, TOLERANT)).toEqual({ ok: true, chargerId, deviations: [] });
  });

  it.each(['/ocpp/%', '/ocpp/%E0%A4%A', '/ocpp/%zz'])('5. gives 400 for malformed encoding: %s', (url) => {
    expect(readIdentity(url, TOLERANT)).toEqual({ ok: false, status: 400 });
  });

  it('6. is read from an absolute URL too', () => {
    const reading = { ok: true, chargerId: 'ACME_1', deviations: [] };
    expect(readIdentity('https://example.com/ocpp/ACME_1', TOLERANT)).toEqual(reading);
  });

  it('6. is read without the query string', () => {
    expect(readIdentity('/ocpp/ACME_1?x=1&y=/2', TOLERANT)).toEqual({ ok: true, chargerId: 'ACME_1', deviations: [] });
  });

  it.each(['/ocpp/', '/ocpp', '/', '/ocpp/A/', '/ocpp/A/B', '/ocpp/?a', '/v2/ocpp/A', `/ocpp/${'a'.repeat(200)}`])(
    '6. gives 404 for any other path: %s',
    (url) => {
      expect(readIdentity(url, TOLERANT)).toEqual({ ok: false, status: 404 });
    },
  );
});

describe('an empty segment before the identity', () => {
  it('6. is tolerated and counted', () => {
    const reading = { ok: true, chargerId: 'ACME_1', deviations: ['empty_path_segment'] };
    expect(readIdentity('/ocpp//ACME%5F1?a', TOLERANT)).toEqual(reading);
  });

  it.each(['/ocpp//', '/ocpp///A', '/ocpp//A/', '/ocpp//A//', '/ocpp//A/B', '//ocpp/A', '/ocpp/A//'])(
    '6. gives 404 anywhere else or twice: %s',
    (url) => {
      expect(readIdentity(url, TOLERANT)).toEqual({ ok: false, status: 404 });
    },
  );

  it('6. gives 404 where strict', () => {
    expect(readIdentity('/ocpp//A', STRICT)).toEqual({ ok: false, status: 404 });
  });
});

describe('the subprotocol', () => {
  const preference = ['ocpp2.0.1', 'ocpp1.6'];

  it.each([
    ['ocpp1.6', ['ocpp1.6']],
    ['ocpp2.1, ocpp2.0.1, ocpp1.6', ['ocpp2.0.1', 'ocpp1.6']],
    ['ocpp1.6,ocpp2.0.1', ['ocpp2.0.1', 'ocpp1.6']],
  ])(`4. is chosen from "%s" by the gateway's preference`, (header, versions) => {
    expect(chooseSubprotocol(header, preference)).toEqual({ kind: 'chosen', version: versions[0], versions });
  });

  it.each(['ocpp2.0.1.1', 'OCPP1.6', 'ocpp1.5', 'ocpp', 'ocpp1.6x'])('2. does not match "%s"', (header) => {
    expect(chooseSubprotocol(header, preference)).toEqual({ kind: 'no_match' });
  });

  it.each([undefined, '', ' , '])('3. is reported as not offered: %s', (header) => {
    expect(chooseSubprotocol(header, preference)).toEqual({ kind: 'none_offered' });
  });
});

describe('Basic credentials', () => {
  it('8. reads them as bytes, as in the test vector of the standard', () => {
    const read = readCredentials('Basic QUwxMDAwOgABAgMEBQYH////////////////');
    if (read.kind !== 'basic') throw new Error('not read');
    expect(read.username).toBe('AL1000');
    expect(read.password.toString('hex')).toBe('0001020304050607ffffffffffffffffffffffff');
  });

  it('12. may contain a colon in the password', () => {
    const read = readCredentials(`Basic ${Buffer.from('A:b:c').toString('base64')}`);
    expect(read).toEqual({ kind: 'basic', username: 'A', password: Buffer.from('b:c') });
  });

  it.each(['Bearer x', 'Basic', 'Basic !!!', `Basic ${Buffer.from('nocolon').toString('base64')}`, 'Basic OmE='])(
    '12. calls unreadable ones invalid: %s',
    (header) => {
      expect(readCredentials(header)).toEqual({ kind: 'invalid' });
    },
  );

  it('has none without a header', () => {
    expect(readCredentials(undefined)).toEqual({ kind: 'none' });
  });

  it.each([
    ['A_1', 'A_1', true],
    ['A%5F1', 'A_1', true],
    ['A_2', 'A_1', false],
    ['%', 'A_1', false],
  ])("5. accepts the charger's name plain or percent-encoded: %s for %s", (username, chargerId, same) => {
    expect(isSameIdentity(username, chargerId)).toBe(same);
  });
});

describe('an upgrade', () => {
  it.each(['websocket', 'WebSocket', 'h2c, websocket'])('asks for a websocket with %s', (upgrade) => {
    expect(asksForWebsocket({ headers: { upgrade } })).toBe(true);
  });

  it.each(['h2c', 'TLS/1.2', 'websockets', undefined])('asks for no websocket with %s', (upgrade) => {
    expect(asksForWebsocket({ headers: upgrade === undefined ? {} : { upgrade } })).toBe(false);
  });

  it.each(['/ocpp', '/ocpp/', '/ocpp/A', '/ocpp?a', '/ocpp/A/B', 'http://x/ocpp/A'])('is for chargers at %s', (url) => {
    expect(isChargerPath(url)).toBe(true);
  });

  it.each(['/', '/ocppx', '/v2/ocpp/A', '/api', 'http://x'])('is not for chargers at %s', (url) => {
    expect(isChargerPath(url)).toBe(false);
  });
});
