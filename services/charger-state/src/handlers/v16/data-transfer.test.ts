import { handle } from '../../testing/handler-situation';
import { dataTransfer, dataTransferOf, type VendorMessage, type VendorMessages } from './data-transfer';

const VENDORS: VendorMessages = new Map([
  [
    'com.example',
    new Map<string, VendorMessage>([
      ['echo', (data: unknown) => ({ status: 'Accepted', data: String(data) })],
      ['', () => ({ status: 'Rejected' })],
    ]),
  ],
]);

describe('DataTransfer', () => {
  it.each([
    ['of an unknown vendor', { vendorId: 'nobody', messageId: 'echo' }, { status: 'UnknownVendorId' }],
    ['of an unknown kind', { vendorId: 'com.example', messageId: 'other' }, { status: 'UnknownMessageId' }],
    ['with data', { vendorId: 'com.example', messageId: 'echo', data: 'x' }, { status: 'Accepted', data: 'x' }],
    ['without a message id', { vendorId: 'com.example' }, { status: 'Rejected' }],
  ])('59. answers and stores a message %s', (_, payload, expected) => {
    const { answer, rows, charger, before } = handle(dataTransferOf(VENDORS), payload, {
      report: { action: 'DataTransfer' },
    });
    expect(answer).toEqual(expected);
    expect(rows.events).toMatchObject([{ rowId: 'report-1', action: 'DataTransfer', payload }]);
    expect(charger).toBe(before);
  });

  it('59. knows no vendor', () => {
    expect(handle(dataTransfer, { vendorId: 'com.example' }).answer).toEqual({ status: 'UnknownVendorId' });
  });
});
