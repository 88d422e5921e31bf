import { UpgradeRejected } from '@busbar/testing';
import { explainClose, explainFailure, retryAfterMs } from './connection-failure';

const refused = (status: number, retryAfter?: string, body = '{"code":"unknown_charger"}'): UpgradeRejected =>
  new UpgradeRejected(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }, body);
const failed = (code: string): Error => Object.assign(new Error('failed'), { code });

it.each<[string, unknown, string]>([
  ['404', refused(404), '404 unknown charger: add --register (unknown_charger)'],
  ['401', refused(401, undefined, ''), '401 wrong or missing password: give --password TEXT'],
  ['429', refused(429, '7', '{}'), '429 too many attempts, next attempt after 7 s'],
  ['503', refused(503, '5', 'null'), '503 the service cannot take the charger now, next attempt after 5 s'],
  [
    'TLS that the service wants',
    refused(403, undefined, '{"code":"https_required"}'),
    '403 the service wants TLS: use wss:// in --url (https_required)',
  ],
  [
    'a path without chargers',
    refused(404, undefined, '{"code":"not_found"}'),
    '404 no chargers connect at this path: --url usually ends with /ocpp/ (not_found)',
  ],
  [
    'a handshake that takes too long',
    new Error('Opening handshake has timed out'),
    'no answer in time: the service is busy, or check --url and the firewall',
  ],
  ['another status', refused(500, undefined, ''), '500 the upgrade was rejected'],
  [
    'a refused connection',
    failed('ECONNREFUSED'),
    'connection refused: is `npm start` running, and is --url its address?',
  ],
  [
    'a refused connection to all addresses of a host',
    new AggregateError([failed('ECONNREFUSED'), failed('EHOSTUNREACH')]),
    'connection refused: is `npm start` running, and is --url its address?',
  ],
  [
    'a certificate that nobody trusts',
    failed('DEPTH_ZERO_SELF_SIGNED_CERT'),
    'certificate not trusted: give its authority with --ca FILE, or do not check it with --insecure',
  ],
  ['plain text on a TLS connection', failed('EPROTO'), 'no TLS on this port: use ws:// in --url'],
  [
    'TLS on a plain connection',
    new Error('socket hang up'),
    'connection reset: does the port of --url speak ws:// and not wss://?',
  ],
  ['anything else', new Error('odd'), 'odd'],
])('explains %s', (_title, error, text) => {
  expect(explainFailure(error)).toBe(text);
});

it.each([
  [1006, '', 'the connection broke without a close frame'],
  [1008, 'policy', 'the service closed the connection: 1008 policy'],
  [
    1000,
    'replaced',
    'another connection with this charger id took its place: end the other simulation, or give this one --prefix TEXT',
  ],
  [1001, '', 'the service closed the connection: 1001'],
])('explains a close with %i', (code, reason, text) => {
  expect(explainClose(code, reason)).toBe(text);
});

it.each([
  [refused(503, '5'), 5000],
  [refused(503, 'soon'), 0],
  [refused(503, '999999'), 3_600_000],
  [new Error('odd'), 0],
])('waits as Retry-After says: %#', (error, ms) => {
  expect(retryAfterMs(error)).toBe(ms);
});
