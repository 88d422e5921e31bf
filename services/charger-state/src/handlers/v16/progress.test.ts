import type { Charger } from '@busbar/domain/chargers';
import { handle, RECEIVED_AT, type Situation } from '../../testing/handler-situation';
import { diagnosticsStatusNotification, firmwareStatusNotification, logStatusNotification } from './progress';

const EACH = [
  ['firmware', firmwareStatusNotification],
  ['diagnostics', diagnosticsStatusNotification],
  ['log', logStatusNotification],
] as const;

describe.each(EACH)('%s', (part, handler) => {
  const notify = (payload: { status: string; requestId?: number }, situation: Situation = {}) =>
    handle(handler, payload, situation);
  const storedAt = (position: readonly [number, number]): Partial<Charger['reported']> => ({
    [part]: { status: 'Before', at: RECEIVED_AT, position },
  });

  it.each([
    ['without a request id', {}],
    ['with a request id', { requestId: 5 }],
  ])('60. stores its progress %s as an event, and in the record', (_, fields) => {
    const { rows, charger, before, answer } = notify({ status: 'Now', ...fields });
    expect(rows.events).toEqual([
      {
        rowId: 'report-1',
        chargerId: 'CHARGER',
        incarnationId: 'CHARGER-1',
        clientId: 'client',
        action: `${part}.progressed`,
        receivedAt: RECEIVED_AT,
        payload: { status: 'Now', ...fields },
      },
    ]);
    const now = { status: 'Now', ...fields, at: RECEIVED_AT, position: [1, 5] };
    expect(charger.reported).toEqual({ ...before.reported, [part]: now });
    expect(answer).toBeUndefined();
  });

  it('60. replaces its earlier progress', () => {
    const { charger } = notify({ status: 'Now' }, { reported: storedAt([1, 4]) });
    expect(charger.reported[part]?.status).toBe('Now');
  });

  it('60. stores progress from before that of the record as an event alone', () => {
    const { rows, charger, before } = notify({ status: 'Late' }, { reported: storedAt([2, 1]) });
    expect(rows.events).toMatchObject([{ payload: { status: 'Late' } }]);
    expect(charger).toBe(before);
  });
});
