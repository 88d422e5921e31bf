import type { DeviceState } from '@busbar/domain/device-state';
import type { CallPayload, Handler } from '../../pipeline/contract';
import { handle, RECEIVED_AT } from '../../testing/handler-situation';
import { deleteCertificateOutcome, getInstalledCertificateIdsOutcome } from './installed-certificates';

const HASH = { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '1' };
const CHILD = { ...HASH, serialNumber: '2' };
const root = (type: string) => ({ type, hashData: HASH, children: [] });

function ended<Payload>(handler: Handler<Payload>, request: object | undefined, response: CallPayload | undefined) {
  const certificates: DeviceState['certificates'] = {
    certificates: [root('V2GRootCertificate'), root('MORootCertificate')],
    listed: { '*': '2026-01-01T00:00:00.000Z' },
    commandId: null,
    position: [1, 1],
  };
  const payload = { result: { outcome: 'answered' }, request, response, status: response?.['status'] ?? '' };
  return handle(handler, payload as Payload, { deviceState: { certificates }, report: { commandId: 'c1' } });
}

const CHAIN = {
  certificateType: 'V2GCertificateChain',
  certificateHashData: HASH,
  childCertificateHashData: [CHILD],
};
const SHOWN_CHAIN = { type: 'V2GCertificateChain', hashData: HASH, children: [CHILD] };

it.each<[string, object, CallPayload, readonly object[]]>([
  ['all', {}, { status: 'Accepted', certificateHashDataChain: [CHAIN] }, [SHOWN_CHAIN]],
  [
    'some types',
    { certificateType: ['V2GCertificateChain', 'MORootCertificate'] },
    { status: 'Accepted', certificateHashDataChain: [CHAIN] },
    [root('V2GRootCertificate'), SHOWN_CHAIN],
  ],
  ['all, and there is none', {}, { status: 'NotFound' }, []],
])('163. stores the list that was asked for: %s', (_what, request, response, certificates) => {
  const { deviceState } = ended(getInstalledCertificateIdsOutcome, request, response);
  expect(deviceState.certificates).toMatchObject({ certificates, commandId: 'c1', position: [1, 5] });
  expect(Object.values(deviceState.certificates?.listed ?? {})).toContain(RECEIVED_AT);
});

it('163. changes nothing without an answer', () => {
  expect(ended(getInstalledCertificateIdsOutcome, {}, undefined).rows.deviceStates).toEqual([]);
});

// The source is TC_M_20 and TC_M_21 of OCPP 2.0.1 Part 6, not a requirement of Part 2.
it.each([
  ['Accepted', 0],
  ['NotFound', 0],
  ['Failed', 2],
])('163. lists a certificate after a DeleteCertificate with %s so often: %d', (status, count) => {
  const { deviceState } = ended(deleteCertificateOutcome, { certificateHashData: HASH }, { status });
  expect(deviceState.certificates?.certificates).toHaveLength(count);
});
