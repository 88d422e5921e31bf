import type { Charger } from '@busbar/domain/chargers';
import { handle, RECEIVED_AT, secondsBefore, sessionWith, type Situation } from '../../testing/handler-situation';
import { meterValues, ongoingOf } from './meter-values';

const VALUE = { timestamp: secondsBefore(5), sampledValue: [{ value: '5' }] };
const values = (transactionId: number | undefined, situation: Situation = {}) =>
  handle(
    meterValues,
    { connectorId: 1, ...(transactionId === undefined ? {} : { transactionId }), meterValue: [VALUE] },
    situation,
  );
const ongoing = (...sessions: Parameters<typeof sessionWith>[0][]): Partial<Charger['reported']> => ({
  ongoing: Object.fromEntries(
    sessions.map((part) => [String(part?.socketId ?? 1), ongoingOf(sessionWith(part), [1, 1])]),
  ),
});
const refused = sessionWith({ state: 'refused', verdict: 'unknown' });

describe('meterValues', () => {
  it.each<[string, number | undefined, Situation, string | null]>([
    ['without a transaction id', undefined, {}, null],
    ['of an unknown transaction', 9, { sessions: [sessionWith()] }, null],
    ['of an ongoing session', 7, { sessions: [sessionWith()] }, 'session-1'],
    [
      'of a session that has ended',
      7,
      { sessions: [sessionWith({ state: 'ended', endTime: secondsBefore(60) })] },
      'session-1',
    ],
    ['of a session of another charger', 7, { sessions: [sessionWith({ incarnationId: 'B-1' })] }, null],
  ])('57. stores values %s, as sent', (_, transactionId, situation, sessionId) => {
    const { rows } = values(transactionId, situation);
    expect(rows.meterValues).toMatchObject([{ sessionId, socketId: 1, payload: { meterValue: [VALUE] } }]);
  });

  it('57. stores the frame where the transaction id is beyond 2^53', () => {
    const { rows } = values(2 ** 60, { report: { raw: '[2,"m","MeterValues",{}]' } });
    expect(rows.meterValues[0]?.frame).toBe('[2,"m","MeterValues",{}]');
    expect(values(7).rows.meterValues[0]?.frame).toBeUndefined();
  });

  it('gives the same row id to the same values sent again, and another to other values', () => {
    const idOf = (id: string, transactionId: number) =>
      values(transactionId, { report: { id } }).rows.meterValues[0]?.rowId;
    expect(idOf('again', 7)).toBe(idOf('first', 7));
    expect(idOf('again', 8)).not.toBe(idOf('first', 7));
  });

  it('does not change the record for a session that it contains', () => {
    const { charger, before } = values(7, { sessions: [sessionWith()], reported: ongoing({}) });
    expect(charger).toBe(before);
  });

  it.each([
    ['whose start it has not seen, which is an event', 6, ['session.started']],
    ['whose start it has seen', 7, []],
  ])('adds an ongoing session that the record lacks, %s', (_, lastTransactionId, types) => {
    const starts = { day: RECEIVED_AT.slice(0, 10), count: 1, refused: 0, lastTransactionId };
    const { charger, emitted } = values(7, { sessions: [sessionWith()], reported: { starts } });
    expect(charger.reported.ongoing['1']).toMatchObject({ sessionId: 'session-1', position: [1, 5] });
    expect(charger.reported.starts).toEqual({ ...starts, lastTransactionId: 7 });
    expect(emitted.map(({ type }) => type)).toEqual(['meter.values', ...types]);
  });

  it.each<[string, Situation]>([
    ['in the record', { sessions: [refused], reported: ongoing(refused) }],
    ['that the record lacks', { sessions: [refused] }],
  ])('61. makes a refused session %s ongoing', (_, situation) => {
    const { charger, rows, lookups } = values(7, situation);
    expect(rows.chargingDespiteRefusal).toEqual(['session-1']);
    expect(charger.reported.ongoing['1']?.refused ?? false).toBe(false);
    expect(lookups.session('session-1')?.state).toBe('ongoing');
  });

  it.each<[string, Situation]>([
    ['ended', { sessions: [sessionWith({ ...refused, endTime: secondsBefore(1) })] }],
    ['superseded', { sessions: [sessionWith({ state: 'superseded' })] }],
    [
      'refused, beside a later one at its socket',
      { sessions: [refused], reported: ongoing({ sessionId: 'later', transactionId: 8 }) },
    ],
  ])('53. does not restore a session that is %s', (_, situation) => {
    const { charger, before, rows } = values(7, situation);
    expect(charger).toBe(before);
    expect(rows.chargingDespiteRefusal).toEqual([]);
  });
});
