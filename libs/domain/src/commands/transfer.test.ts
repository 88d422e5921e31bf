import type { ChargerEvent } from '../history/history';
import { transferAction, transferStepOf, type TransferRequest } from './transfer';

const AT = '2026-02-01T00:00:00.000Z';
const FULL: TransferRequest = {
  location: 'ftp://files',
  retrieveAt: '2026-02-02T00:00:00.000Z',
  installAt: '2026-02-03T00:00:00.000Z',
  startTime: '2026-01-01T00:00:00.000Z',
  stopTime: '2026-01-02T00:00:00.000Z',
  logType: 'SecurityLog',
  retries: 0,
  retryIntervalS: 60,
  requestId: 5,
  isSigned: true,
  status: 'Accepted',
  fileName: 'log.zip',
  commandId: 'c',
};
const NOTHING = { retrieveAt: null, installAt: null, startTime: null, stopTime: null, logType: null, retries: null };
const EMPTY: TransferRequest = {
  ...NOTHING,
  location: '',
  retryIntervalS: null,
  requestId: null,
  isSigned: false,
  status: null,
  fileName: null,
  commandId: null,
};

function step(action: string, payload: object) {
  const who = { rowId: 'row', chargerId: 'ACME_1', incarnationId: 'ACME_1-1', clientId: 'client' };
  return transferStepOf({ ...who, action, receivedAt: AT, payload: payload as ChargerEvent['payload'] });
}

describe('an event of a transfer', () => {
  const swapped = { location: 7, retries: '3', requestId: null, isSigned: 'true', status: {} };

  it.each([
    ['is a request with all its fields', 'log.requested', FULL, { kind: 'log', request: FULL }],
    ['is a request with absent fields', 'firmware.requested', {}, { kind: 'firmware', request: EMPTY }],
    ['ignores fields of another type', 'diagnostics.requested', swapped, { kind: 'diagnostics', request: EMPTY }],
    [
      'is progress with the id of its request',
      'firmware.progressed',
      { status: 'Installed', requestId: 5 },
      { kind: 'firmware', progress: { status: 'Installed', requestId: 5 } },
    ],
    [
      'is progress without an id',
      'diagnostics.progressed',
      { status: 'Uploaded' },
      { kind: 'diagnostics', progress: { status: 'Uploaded', requestId: null } },
    ],
    ['is progress without a status', 'log.progressed', {}, { kind: 'log', progress: { status: '', requestId: null } }],
  ])('%s', (_title, action, payload, expected) => {
    expect(step(action, payload)).toEqual({ at: AT, ...expected });
  });

  it.each([
    ['is none of another kind', 'security.requested'],
    ['is none of a kind that only begins alike', 'logger.requested'],
    ['is none without a step', 'firmware'],
  ])('%s', (_title, action) => {
    expect(step(action, FULL)).toBeUndefined();
  });

  it('has the action of its kind and step', () => {
    expect([transferAction('log', 'requested'), transferAction('firmware', 'progressed')]).toEqual([
      'log.requested',
      'firmware.progressed',
    ]);
  });
});
