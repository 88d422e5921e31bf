import { acceptCall, errorAnswer } from './accept-call';
import { STRICT, TOLERANT } from './deviation';
import type { CallFrame } from './frame';
import { protocolOf, supportedVersions } from './protocols';
import { ocpp16 } from './v16/protocol';

const call = (action: string, payload: unknown = {}, more: Partial<CallFrame> = {}): CallFrame => ({
  type: 'call',
  id: '1',
  numericId: false,
  action,
  payload,
  deviations: [],
  ...more,
});

describe('acceptCall', () => {
  it('accepts a valid CALL and returns its action', () => {
    const judged = acceptCall(ocpp16, call('Heartbeat'), TOLERANT);
    expect(judged).toMatchObject({ ok: true, action: { kind: 'report' }, payload: {}, deviations: [] });
  });

  it.each([['constructor'], ['__proto__'], ['toString'], ['hasOwnProperty'], ['Nothing'], ['']])(
    '37. refuses the action "%s" as not implemented',
    (action) => {
      expect(codeOf(action)).toBe('NotImplemented');
    },
  );

  it.each([['TransactionEvent'], ['NotifyReport'], ['heartbeat'], ['HEARTBEAT'], ['Heartbeat ']])(
    '38. refuses %s, of another version or in another case, as not implemented',
    (action) => {
      expect(codeOf(action)).toBe('NotImplemented');
    },
  );

  it.each([['Reset'], ['GetConfiguration'], ['ChangeConfiguration'], ['TriggerMessage']])(
    '39. refuses %s, which only the service sends, as not supported',
    (action) => {
      expect(codeOf(action)).toBe('NotSupported');
      expect(acceptCall(ocpp16, call('Heartbeat'), TOLERANT).ok).toBe(true);
    },
  );

  it('accepts DataTransfer, which both sides send', () => {
    expect(acceptCall(ocpp16, call('DataTransfer', { vendorId: 'x' }), STRICT)).toMatchObject({
      ok: true,
      action: { kind: 'decision' },
    });
  });

  it('counts the deviations of the frame with those of the payload', () => {
    const frame = call('Heartbeat', { extra: 1 }, { numericId: true, deviations: ['numeric_message_id'] });
    expect(acceptCall(ocpp16, frame, TOLERANT)).toMatchObject({ deviations: ['numeric_message_id', 'vendor_field'] });
  });

  it('41. answers an internal failure with a generic text', () => {
    expect(errorAnswer(ocpp16, { id: '1', numericId: false }, 'internal')).toBe(
      '[4,"1","InternalError","The message could not be processed.",{}]',
    );
  });

  it('33. gives no answer to a situation without a code in 1.6', () => {
    expect(errorAnswer(ocpp16, { id: '1', numericId: false }, 'unknown_message_type')).toBeUndefined();
  });

  it('4. finds a protocol by its exact subprotocol', () => {
    expect(protocolOf('ocpp1.6')).toBe(ocpp16);
    expect(protocolOf('ocpp2.0.1.1')).toBeUndefined();
    expect(protocolOf('OCPP1.6')).toBeUndefined();
    expect(supportedVersions()).toEqual(['ocpp2.1', 'ocpp2.0.1', 'ocpp1.6']);
  });
});

function codeOf(action: string): unknown {
  const judged = acceptCall(ocpp16, call(action), TOLERANT);
  if (judged.ok) return 'accepted';
  const answer = errorAnswer(ocpp16, { id: '1', numericId: false }, judged.situation, judged.description);
  return (JSON.parse(answer ?? '[]') as unknown[])[2];
}
