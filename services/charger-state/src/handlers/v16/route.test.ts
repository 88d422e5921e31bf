import { handle, RECEIVED_AT, type Situation } from '../../testing/handler-situation';
import { outcome, route, type Outcome } from './route';

/** Returns what a handler is given for the end of a CALL. */
function givenFor(payload: object, request?: string): Outcome<'ReserveNow'> | undefined {
  const given: Outcome<'ReserveNow'>[] = [];
  const [, handler] = outcome('ReserveNow', {
    apply: (charger, report) => {
      given.push(report.payload);
      return { charger };
    },
  });
  const report: Situation['report'] = request === undefined ? {} : { request };
  handle(handler, payload, { report });
  return given[0];
}
const RESERVATION = { connectorId: 1, expiryDate: RECEIVED_AT, idTag: 'Tag', reservationId: 1 };
const frame = (payload: unknown) => JSON.stringify([2, 'm', 'ReserveNow', payload]);

describe('outcome', () => {
  it('gives a handler the request and the response', () => {
    const result = { outcome: 'answered', payload: { status: 'Accepted' } };
    expect(givenFor(result, frame(RESERVATION))).toEqual({
      result,
      request: RESERVATION,
      response: { status: 'Accepted' },
      status: 'Accepted',
    });
  });

  it.each([
    ['without a CALLRESULT', { outcome: 'timeout' }, undefined, ''],
    ['with a CALLRESULT without a status', { outcome: 'answered', payload: {} }, {}, ''],
    ['with a status that is no text', { outcome: 'answered', payload: { status: 1 } }, { status: 1 }, ''],
  ])('gives the end of a CALL %s', (_, payload, response, status) => {
    expect(givenFor(payload, frame(RESERVATION))).toMatchObject({ response, status });
  });

  it.each([
    ['that is missing', undefined],
    ['that is not JSON', 'not a frame'],
    ['that is no list', '{}'],
    ['with a payload that does not fit its schema', frame({ ...RESERVATION, connectorId: 'one' })],
    ['with a payload that lacks a field', frame({})],
  ])('gives no request for a frame %s', (_, request) => {
    expect(givenFor({ outcome: 'timeout' }, request)?.request).toBeUndefined();
  });
});

describe('route', () => {
  it('keeps that the messages of a handler begin sessions', () => {
    const [action, handler] = route('StartTransaction', { apply: (charger) => ({ charger }), beginsSession: true });
    expect([action, handler.beginsSession, handler.prepare]).toEqual(['StartTransaction', true, undefined]);
  });
});
