import { handle, RECEIVED_AT } from '../../testing/handler-situation';
import { securityEventNotification } from './security-event';

it('60. stores a SecurityEventNotification as an event, as it was sent, and changes no record', () => {
  const payload = { type: 'TamperDetection', timestamp: '2026-06-01T11:00:00Z', techInfo: 'door' };
  const { rows, charger, before, answer } = handle(securityEventNotification, payload, {
    report: { action: 'SecurityEventNotification' },
  });
  expect(rows.events).toEqual([
    {
      rowId: 'report-1',
      chargerId: 'CHARGER',
      incarnationId: 'CHARGER-1',
      clientId: 'client',
      action: 'SecurityEventNotification',
      receivedAt: RECEIVED_AT,
      payload,
    },
  ]);
  expect(charger).toBe(before);
  expect(answer).toBeUndefined();
});
