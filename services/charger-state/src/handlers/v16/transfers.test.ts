import {
  answered,
  handle,
  RECEIVED_AT,
  unanswered,
  type Result,
  type Situation,
} from '../../testing/handler-situation';
import { getDiagnosticsOutcome, getLogOutcome, signedUpdateFirmwareOutcome, updateFirmwareOutcome } from './transfers';

const AT = '2026-06-01T13:00:00Z';
const COMMAND: Situation = { report: { commandId: 'command-1' } };
const NONE = { retries: null, retryIntervalS: null, status: null, fileName: null, commandId: null };
const TWICE = { retries: 2, retryInterval: 60 };
const ATTEMPTS = { retries: 2, retryIntervalS: 60 };
const firmware = { location: 'https://x/f', retrieveDateTime: AT, signingCertificate: 'C', signature: 'S' };
const log = { remoteLocation: 'https://x/l' };

describe('a transfer of a file', () => {
  it.each<[string, string, Result<unknown>, object]>([
    [
      'UpdateFirmware',
      'firmware',
      handle(updateFirmwareOutcome, answered<'UpdateFirmware'>({ location: 'https://x/f', retrieveDate: AT }, {})),
      { ...NONE, location: 'https://x/f', retrieveAt: AT },
    ],
    [
      'UpdateFirmware with attempts, by a command',
      'firmware',
      handle(
        updateFirmwareOutcome,
        answered<'UpdateFirmware'>({ location: 'https://x/f', retrieveDate: AT, ...TWICE }, {}),
        COMMAND,
      ),
      { ...NONE, location: 'https://x/f', retrieveAt: AT, ...ATTEMPTS, commandId: 'command-1' },
    ],
    [
      'SignedUpdateFirmware',
      'firmware',
      handle(
        signedUpdateFirmwareOutcome,
        answered<'SignedUpdateFirmware'>({ requestId: 5, firmware }, { status: 'Accepted' }),
      ),
      {
        ...NONE,
        location: 'https://x/f',
        retrieveAt: AT,
        installAt: null,
        isSigned: true,
        requestId: 5,
        status: 'Accepted',
      },
    ],
    [
      'SignedUpdateFirmware that is installed later, and refused',
      'firmware',
      handle(
        signedUpdateFirmwareOutcome,
        answered<'SignedUpdateFirmware'>(
          { requestId: 5, firmware: { ...firmware, installDateTime: AT }, ...TWICE },
          { status: 'InvalidCertificate' },
        ),
      ),
      {
        ...NONE,
        ...ATTEMPTS,
        location: 'https://x/f',
        retrieveAt: AT,
        installAt: AT,
        isSigned: true,
        requestId: 5,
        status: 'InvalidCertificate',
      },
    ],
    [
      'GetDiagnostics',
      'diagnostics',
      handle(getDiagnosticsOutcome, answered<'GetDiagnostics'>({ location: 'https://x/d' }, {})),
      { ...NONE, location: 'https://x/d', startTime: null, stopTime: null },
    ],
    [
      'GetDiagnostics of a period, with the name of the file',
      'diagnostics',
      handle(
        getDiagnosticsOutcome,
        answered<'GetDiagnostics'>(
          { location: 'https://x/d', startTime: AT, stopTime: RECEIVED_AT, ...TWICE },
          { fileName: 'd.log' },
        ),
      ),
      { ...NONE, ...ATTEMPTS, location: 'https://x/d', startTime: AT, stopTime: RECEIVED_AT, fileName: 'd.log' },
    ],
    [
      'GetLog',
      'log',
      handle(getLogOutcome, answered<'GetLog'>({ requestId: 6, logType: 'SecurityLog', log }, { status: 'Rejected' })),
      {
        ...NONE,
        location: 'https://x/l',
        logType: 'SecurityLog',
        requestId: 6,
        startTime: null,
        stopTime: null,
        status: 'Rejected',
      },
    ],
    [
      'GetLog of a period, with the name of the file',
      'log',
      handle(
        getLogOutcome,
        answered<'GetLog'>(
          {
            requestId: 6,
            logType: 'DiagnosticsLog',
            log: { ...log, oldestTimestamp: AT, latestTimestamp: RECEIVED_AT },
            ...TWICE,
          },
          { status: 'Accepted', filename: 's.log' },
        ),
      ),
      {
        ...NONE,
        ...ATTEMPTS,
        location: 'https://x/l',
        logType: 'DiagnosticsLog',
        requestId: 6,
        startTime: AT,
        stopTime: RECEIVED_AT,
        status: 'Accepted',
        fileName: 's.log',
      },
    ],
  ])('is stored as an event: %s', (_, kind, { rows, charger, before }, payload) => {
    expect(rows.events).toEqual([
      {
        rowId: 'report-1',
        chargerId: 'CHARGER',
        incarnationId: 'CHARGER-1',
        clientId: 'client',
        action: `${kind}.requested`,
        receivedAt: RECEIVED_AT,
        payload,
      },
    ]);
    expect(charger).toBe(before);
  });

  it.each([
    ['ftp://user:secret@files.example/a', 'ftp://***@files.example/a'],
    ['https://x/a?sig=secret&se=1', 'https://x/a?sig=***&se=1'],
  ])('is stored without the credentials of its address %s', (location, stored) => {
    const request = { location, retrieveDate: AT };
    const { rows } = handle(updateFirmwareOutcome, answered<'UpdateFirmware'>(request, {}));
    expect(rows.events).toMatchObject([{ payload: { location: stored } }]);
  });

  it.each([
    [
      'without a response',
      handle(updateFirmwareOutcome, unanswered<'UpdateFirmware'>({ location: 'l', retrieveDate: AT })),
    ],
    ['with an invalid request', handle(updateFirmwareOutcome, answered<'UpdateFirmware'>(undefined, {}))],
  ])('is not stored for a CALL %s', (_, { rows, charger, before }) => {
    expect(rows.events).toEqual([]);
    expect(charger).toBe(before);
  });
});
