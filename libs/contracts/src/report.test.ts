import { isAfter } from './position';
import { decodeReports as decode, encodeReports, type ReportEnvelope } from './report';
import { partitionOf } from './partition';

const decodeReports = (text: string) => decode(JSON.parse(text));

const report: ReportEnvelope = {
  v: 1,
  id: '01J00000000000000000000000',
  kind: 'report',
  chargerId: 'A',
  incarnationId: 'i',
  connectionId: 'c',
  gatewayId: 'g',
  order: 3,
  seq: 7,
  ocppVersion: 'ocpp1.6',
  action: 'StatusNotification',
  messageId: 'm',
  payload: { connectorId: 1, info: 'ü "\u2028' },
  raw: JSON.stringify([2, 'm', 'StatusNotification', { connectorId: 1, info: 'ü "\u2028' }]),
  receivedAt: '2026-01-01T00:00:00.000Z',
};

describe('a batch of reports as text', () => {
  it('is decoded to the same batch', () => {
    const batch = {
      reports: [
        report,
        { ...report, kind: 'connected' as const, payload: null, raw: '' },
        { ...report, kind: 'outcome' as const, payload: { outcome: 'timeout' }, raw: '', commandId: 'k' },
      ],
    };
    expect(decodeReports(encodeReports(batch))).toEqual(batch);
  });

  it('has the payload of a CALL only in its raw frame', () => {
    expect(encodeReports({ reports: [report] }).split('connectorId')).toHaveLength(2);
  });

  it('has a repaired payload beside its raw frame', () => {
    const raw = '[2,"m","StatusNotification",{"connectorId":"1","info":null}]';
    const repaired = { ...report, payload: { connectorId: 1 }, repaired: true as const, raw };
    expect(decodeReports(encodeReports({ reports: [repaired] }))).toEqual({ reports: [repaired] });
  });

  it('decodes a null payload to an empty one', () => {
    const raw = '[2,"m","Heartbeat",null]';
    const text = encodeReports({ reports: [{ ...report, action: 'Heartbeat', payload: {}, raw }] });
    expect(decodeReports(text).reports[0]?.payload).toEqual({});
  });

  it('rejects a body that is no batch', () => {
    expect(() => decodeReports('{')).toThrow(SyntaxError);
    expect(() => decodeReports('{}')).toThrow(TypeError);
    expect(() => decodeReports('{"reports":[null]}')).toThrow(TypeError);
    expect(() => decodeReports('{"reports":[{"payload":{},"chargerId":"A"}]}')).toThrow('without its envelope');
  });
});

it('compares positions by order, then by seq', () => {
  expect(isAfter([2, 1], [1, 9])).toBe(true);
  expect(isAfter([1, 2], [1, 1])).toBe(true);
  expect(isAfter([1, 1], [1, 2])).toBe(false);
  expect(isAfter([1, 1], [1, 1])).toBe(false);
});

describe('partitions', () => {
  it('never changes: the contents of the queues depend on it', () => {
    expect(['ACME_1', 'ACME_2', 'x', 'a:b'].map((id) => partitionOf(id, 16))).toMatchInlineSnapshot(`
     [
       3,
       6,
       11,
       13,
     ]
    `);
  });

  it('spreads similar ids evenly', () => {
    const counts = new Array<number>(16).fill(0);
    for (let i = 0; i < 16_000; i += 1) counts[partitionOf(`ACME_${String(i)}`, 16)]! += 1;
    expect(Math.min(...counts)).toBeGreaterThan(700);
    expect(Math.max(...counts)).toBeLessThan(1300);
  });
});
