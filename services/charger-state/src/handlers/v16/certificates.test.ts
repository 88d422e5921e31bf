import type { DeviceState } from '@busbar/domain/device-state';
import { answered, handle, RECEIVED_AT, unanswered, type Situation } from '../../testing/handler-situation';
import { deleteCertificateOutcome, getInstalledCertificateIdsOutcome } from './certificates';

const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '1' };
const root = (type: string) => ({ type, hashData: HASH, children: [] });
const listed = (...types: string[]): NonNullable<DeviceState['certificates']> => ({
  certificates: types.map(root),
  listed: { '*': '2026-01-01T00:00:00.000Z' },
  commandId: null,
  position: [1, 1],
});
const having = (...types: string[]): Situation => ({
  deviceState: { certificates: listed(...types) },
  report: { commandId: 'c1' },
});
const ASKED = { certificateType: 'ManufacturerRootCertificate' };

it('163. stores the certificates of the type that was asked for', () => {
  const answer = answered<'GetInstalledCertificateIds'>(ASKED, { status: 'Accepted', certificateHashData: [HASH] });
  const { deviceState, rows } = handle(getInstalledCertificateIdsOutcome, answer, having('Other'));
  expect(deviceState.certificates).toEqual({
    certificates: [root('Other'), root('ManufacturerRootCertificate')],
    listed: { '*': '2026-01-01T00:00:00.000Z', ManufacturerRootCertificate: RECEIVED_AT },
    commandId: 'c1',
    position: [1, 5],
  });
  expect(rows.deviceStates).toMatchObject([{ to: deviceState }]);
});

it('163. stores that there is none of the type', () => {
  const answer = answered<'GetInstalledCertificateIds'>(ASKED, { status: 'NotFound' });
  const { deviceState } = handle(
    getInstalledCertificateIdsOutcome,
    answer,
    having('Other', 'ManufacturerRootCertificate'),
  );
  expect(deviceState.certificates?.certificates).toEqual([root('Other')]);
});

it('163. changes nothing where the charger did not answer, or the call is not readable', () => {
  const none = unanswered<'GetInstalledCertificateIds'>(ASKED);
  const unread = answered<'GetInstalledCertificateIds'>(undefined, { status: 'NotFound' });
  for (const payload of [none, unread]) {
    expect(handle(getInstalledCertificateIdsOutcome, payload, having('A')).rows.deviceStates).toEqual([]);
  }
});

it.each([
  ['Accepted', 0],
  ['NotFound', 0],
  ['Failed', 1],
])('163. has a certificate after a DeleteCertificate with %s so often: %d', (status, count) => {
  const answer = answered<'DeleteCertificate'>({ certificateHashData: HASH }, { status });
  const { deviceState } = handle(deleteCertificateOutcome, answer, having('A'));
  expect(deviceState.certificates?.certificates).toHaveLength(count);
});
