// Messages of OCPP 2.x that are stored and announced as they came: events of the charger, and the progress of a transfer.
import { handle, RECEIVED_AT } from '../../testing/handler-situation';
import { dataTransfer } from './data-transfer';
import { firmwareStatusNotification, logStatusNotification } from './progress';
import { securityEventNotification } from './security-event';

describe('DataTransfer', () => {
  it.each([
    [
      'an object',
      { vendorId: 'acme', messageId: 'm', data: { any: [1, null] } },
      { messageId: 'm', data: { any: [1, null] } },
    ],
    ['nothing but a vendor', { vendorId: 'acme' }, { messageId: null, data: null }],
  ])('is answered UnknownVendorId, stored and announced with %s', (_title, payload, shown) => {
    const { answer, rows, emitted } = handle(dataTransfer, payload);
    expect(answer).toEqual({ status: 'UnknownVendorId' });
    expect(rows.events).toMatchObject([{ receivedAt: RECEIVED_AT, payload }]);
    expect(emitted).toEqual([{ type: 'charger.data_transfer', data: { vendorId: 'acme', ...shown } }]);
  });
});

describe('SecurityEventNotification', () => {
  it.each([
    ['its details', { techInfo: 'port 3' }, 'port 3'],
    ['no details', {}, null],
  ])('is stored and announced with %s and the time of the charger', (_title, details, techInfo) => {
    const payload = { type: 'TamperDetectionActivated', timestamp: '2026-06-01T11:59:00+02:00', ...details };
    const { answer, rows, emitted } = handle(securityEventNotification, payload);
    expect(answer).toBeUndefined();
    expect(rows.events).toMatchObject([{ receivedAt: RECEIVED_AT, payload }]);
    const data = { type: 'TamperDetectionActivated', techInfo, deviceTime: '2026-06-01T09:59:00.000Z' };
    expect(emitted).toEqual([{ type: 'charger.security_event', data }]);
  });
});

const OLDER = { status: 'Idle', at: RECEIVED_AT, position: [1, 4] as const };
const NEWER = { status: 'Idle', at: RECEIVED_AT, position: [1, 6] as const };

describe('FirmwareStatusNotification', () => {
  it.each([
    ['replaces the progress', OLDER, { status: 'Downloaded', requestId: 7, at: RECEIVED_AT, position: [1, 5] }],
    ['leaves the progress of a later message', NEWER, NEWER],
  ])('is an event, and %s', (_title, firmware, expected) => {
    const { charger, rows, emitted } = handle(
      firmwareStatusNotification,
      { status: 'Downloaded', requestId: 7 },
      { reported: { firmware } },
    );
    expect(charger.reported.firmware).toEqual(expected);
    expect(rows.events).toMatchObject([
      { action: 'firmware.progressed', payload: { status: 'Downloaded', requestId: 7 } },
    ]);
    const data = { status: 'Downloaded', requestId: 7, deviceTime: null };
    expect(emitted).toEqual([{ type: 'charger.firmware_status', data }]);
  });
});

describe('LogStatusNotification', () => {
  it.each([
    ['replaces the progress', OLDER, { status: 'Uploading', at: RECEIVED_AT, position: [1, 5] }],
    ['leaves the progress of a later message', NEWER, NEWER],
  ])('is an event, and %s, also without a requestId', (_title, log, expected) => {
    const { charger, rows, emitted } = handle(logStatusNotification, { status: 'Uploading' }, { reported: { log } });
    expect(charger.reported.log).toEqual(expected);
    expect(rows.events).toMatchObject([{ action: 'log.progressed', payload: { status: 'Uploading' } }]);
    const data = { status: 'Uploading', requestId: null, deviceTime: null };
    expect(emitted).toEqual([{ type: 'charger.diagnostics_status', data }]);
  });
});
