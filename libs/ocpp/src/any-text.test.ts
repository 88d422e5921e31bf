// Any text of a charger: nothing throws, and there is at most one answer, which is a frame of OCPP-J.
import fc from 'fast-check';
import { acceptCall, errorAnswer } from './accept-call';
import { STRICT, TOLERANT } from './deviation';
import { parseFrame, serializeResult } from './frame';
import { maskFrame } from './masking/mask';
import { parseTimestamp } from './timestamp';
import { ocpp16 } from './v16/protocol';
import { validateResponse } from './validator';

const actionName = fc.oneof(fc.constantFrom(...ocpp16.actions.keys()), fc.string());
const word = fc.constantFrom(
  'connectorId',
  'status',
  'timestamp',
  'idTag',
  'key',
  'value',
  '__proto__',
  'password',
  'SimPIN',
  'idToken',
);
const payload = fc.oneof(fc.jsonValue(), fc.dictionary(fc.oneof(word, fc.string()), fc.jsonValue({ maxDepth: 3 })));
const frameText = fc
  .array(fc.oneof(fc.integer({ min: -1, max: 9 }), fc.string(), actionName, payload), { maxLength: 6 })
  .map((parts) => JSON.stringify(parts));
const callText = fc
  .tuple(
    fc.oneof(fc.string({ unit: 'binary' }), fc.double({ noNaN: true, noDefaultInfinity: true })),
    actionName,
    payload,
  )
  .map(([id, action, body]) => JSON.stringify([2, id, action, body]));
const cutText = fc.tuple(callText, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
const anyText = fc.oneof(fc.string({ unit: 'binary' }), frameText, callText, cutText);

describe('any text from a charger', () => {
  it('40. is answered at most once, with its id', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(STRICT, TOLERANT), (text, tolerance) => {
        const answer = answerTo(text, tolerance);
        if (answer === undefined) return;
        const sent = JSON.parse(answer) as unknown[];
        const came = JSON.parse(text) as unknown[];
        expect([3, 4]).toContain(sent[0]);
        expect(sent[1]).toEqual(came[1]);
        expect(sent).toHaveLength(sent[0] === 3 ? 3 : 5);
        if (sent[0] === 4) expect(String(sent[3]).length).toBeLessThanOrEqual(255);
      }),
      { numRuns: 2_000 },
    );
  });

  it('30. is not answered where it is no JSON', () => {
    fc.assert(fc.property(callText, (text) => expect(answerTo(text.slice(0, -1), TOLERANT)).toBeUndefined()));
  });

  it('35. is checked as an answer to any CALL of ours without a throw', () => {
    fc.assert(
      fc.property(actionName, fc.jsonValue(), (action, body) => {
        expect(typeof validateResponse(ocpp16, action, body, TOLERANT).ok).toBe('boolean');
      }),
    );
  });

  it('45. is refused by a strict gateway where a tolerant one refuses it', () => {
    fc.assert(
      fc.property(actionName, payload, (action, body) => {
        const call = { type: 'call', id: '1', numericId: false, action, payload: body, deviations: [] } as const;
        const strict = acceptCall(ocpp16, call, STRICT).ok;
        expect(strict && !acceptCall(ocpp16, call, TOLERANT).ok).toBe(false);
      }),
    );
  });

  it('42. is parsed as a timestamp without a throw', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseTimestamp(text);
        expect(parsed === undefined || !Number.isNaN(parsed.date.getTime())).toBe(true);
      }),
    );
  });

  it('is masked, and stays unchanged where it can hold no secret and no address', () => {
    // An address, or a parameter of one, counts as well: `[2,"1","X",{"a":"#b=` is cut off, so that none of it is shown.
    const mightHoldSecret = /pass|pwd|psk|pin|key|token|secret|credential|\\u00|:[\\/]+|[?&;#][^]+=/i;
    fc.assert(
      fc.property(anyText, (text) => {
        const masked = maskFrame(text);
        if (!mightHoldSecret.test(text)) expect(masked).toBe(text);
      }),
      { examples: [['[2,0,"",{"":{"#0='], ['[2,0,"",{"":"://']] },
    );
  });

  it('40. is checked in linear time at a megabyte of the worst kind', () => {
    const wide = `[2,"1","MeterValues",{"connectorId":1,"meterValue":[${'{},'.repeat(300_000)}{}]}]`;
    const vendor = `[2,"1","Heartbeat",{${Array.from({ length: 60_000 }, (_, i) => `"f${String(i)}":{}`).join()}}]`;
    const text = `[2,"1","DataTransfer",{"vendorId":"v","data":"${'\\u0000'.repeat(150_000)}"}]`;
    expect(answerTo(wide, TOLERANT)).toContain('OccurenceConstraintViolation');
    expect(answerTo(vendor, TOLERANT)).toBe('[3,"1",{}]');
    expect(answerTo(text, TOLERANT)).toBe('[3,"1",{}]');
  });
});

function answerTo(text: string, tolerance: typeof STRICT): string | undefined {
  const frame = parseFrame(text);
  if (frame.type === 'unreadable') {
    return frame.replyTo === undefined ? undefined : errorAnswer(ocpp16, frame.replyTo, frame.situation);
  }
  if (frame.type !== 'call') return undefined;
  const judged = acceptCall(ocpp16, frame, tolerance);
  if (judged.ok) return serializeResult(frame, {});
  return errorAnswer(ocpp16, frame, judged.situation, judged.description);
}
